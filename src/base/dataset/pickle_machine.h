#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sdbench/base/errors/error.h"

namespace sdbench {

/// A value of a pickle. `text` points into the pickle's bytes, or into the machine's texts if it
/// had to be decoded. `items` points into the machine.
struct PickledValue {
  enum class Kind {
    kMark,
    kNone,
    kBool,
    kInteger,
    kText, ///< str and bytes alike: Python 2 does not distinguish them
    kList,
    kTuple,
    kDict,   ///< key, value, key, value, …
    kGlobal, ///< `integer`: index in the list of known globals
    kDtype,  ///< `text`: numpy's code; items: empty, or its byte order
    kArray,  ///< items: none, or shape, dtype, bytes, and true for column-major
    kOther,  ///< a number or a set that no batch needs; `text`: its kind
  };
  Kind kind = Kind::kNone;
  std::int64_t integer = 0;
  std::string_view text;
  std::vector<PickledValue>* items = nullptr;
};

/// True for a kDtype with big-endian numbers of several bytes.
[[nodiscard]] bool is_big_endian(const PickledValue& dtype);

/// Runs a pickle, limited to the instructions that pickled_batch.h describes. The pickle and the
/// machine must outlive the value that run() returns.
class PickleMachine {
public:
  /// `file` is named in errors.
  PickleMachine(std::string_view pickle, std::string file);

  /// Returns the pickled value. Throws Error.
  [[nodiscard]] PickledValue run();

  /// Decoded texts. Whoever holds the pointer can read them after the machine is destroyed.
  using Texts = std::deque<std::string>;
  [[nodiscard]] std::shared_ptr<const Texts> texts() const { return texts_; }

private:
  using Kind = PickledValue::Kind;

  [[nodiscard]] std::string_view take(std::size_t size);
  [[nodiscard]] std::string_view take_line();
  [[nodiscard]] std::uint64_t take_number(std::size_t bytes);
  [[nodiscard]] std::int64_t take_integer_line();
  void push_long(std::string_view bytes);
  void push_long_line();
  [[nodiscard]] Error malformed(const std::string& reason) const;

  void push(Kind kind, std::int64_t integer = 0, std::string_view text = {});
  void push_own_text(std::optional<std::string> text);
  void push_items(Kind kind, std::vector<PickledValue> items);
  [[nodiscard]] PickledValue pop();
  [[nodiscard]] PickledValue pop(Kind kind);
  [[nodiscard]] std::vector<PickledValue> pop_last(std::size_t count);
  [[nodiscard]] std::vector<PickledValue> pop_to_mark();
  [[nodiscard]] PickledValue& top();
  void add_to_top(Kind kind, const std::vector<PickledValue>& items);

  // Each of these runs `instruction` if it is of the function's kind, else returns false.
  [[nodiscard]] bool push_constant(std::uint8_t instruction);
  [[nodiscard]] bool push_text(std::uint8_t instruction);
  [[nodiscard]] bool remember(std::uint8_t instruction);
  [[nodiscard]] bool build_items(std::uint8_t instruction);
  [[nodiscard]] bool build_set(std::uint8_t instruction);
  [[nodiscard]] bool make_object(std::uint8_t instruction);

  void push_global(std::string_view module, std::string_view name);
  void reduce();
  void encode(const std::vector<PickledValue>& arguments);
  void push_scalar(const std::vector<PickledValue>& arguments);
  void build();

  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0;
  std::vector<PickledValue> stack_;
  std::unordered_map<std::uint64_t, PickledValue> memo_;
  std::deque<std::vector<PickledValue>> all_items_; ///< a deque, because items must not move
  std::shared_ptr<Texts> texts_ = std::make_shared<Texts>();
  std::size_t texts_size_ = 0; ///< bytes
};

} // namespace sdbench

#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/files/json_io.h"

namespace sdbench {

/// Text of a JSON value for an error message: short, in one line, with at most one level of
/// nesting.
[[nodiscard]] std::string describe_json(const Json& value);

/// Throws Error for a key of `object` that is not `known`. `of`: follows the key in the error.
void refuse_unknown_keys(const Json& object, const std::vector<std::string>& known,
                         const std::string& where, const std::string& of = "");

/// Bounds of a number, both included.
template <typename Number>
struct Bounds {
  Number least = std::numeric_limits<Number>::lowest();
  Number most = std::numeric_limits<Number>::max();
};
using IntegerBounds = Bounds<std::int64_t>;
using NumberBounds = Bounds<double>;

/// Reads one component's config, and checks types and bounds. If a key is absent, the default of
/// the diffusers class applies, as in diffusers. Every refusal is one line: "sd15.json: unet:
/// norm_eps must be a number, but is "x"".
class ConfigReader {
public:
  /// `where` names the component in errors. Throws Error unless `object` is a JSON object, which
  /// must outlive the reader.
  ConfigReader(const Json& object, std::string where);

  [[nodiscard]] bool has(std::string_view key) const; ///< present, even if null
  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t fallback,
                                     IntegerBounds bounds = {}) const;
  /// Null counts as absent, because Python's None is the default in the diffusers class.
  [[nodiscard]] std::optional<std::int64_t> optional_integer(std::string_view key,
                                                             IntegerBounds bounds = {}) const;
  [[nodiscard]] double number(std::string_view key, double fallback,
                              NumberBounds bounds = {}) const;
  [[nodiscard]] bool boolean(std::string_view key, bool fallback) const;
  /// Null counts as false, because Python tests the value for truth.
  [[nodiscard]] bool truth(std::string_view key, bool fallback) const;
  [[nodiscard]] std::string text(std::string_view key, const std::string& fallback) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key,
                                               const std::vector<std::string>& fallback) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key,
                                                   const std::vector<std::int64_t>& fallback,
                                                   IntegerBounds bounds) const;
  /// Returns one integer for each of `count` blocks. The value may be one integer for all blocks,
  /// or a list with one for each block.
  [[nodiscard]] std::vector<std::int64_t> integer_per_block(std::string_view key,
                                                            std::int64_t fallback,
                                                            std::size_t count,
                                                            IntegerBounds bounds) const;

  /// For a key of which only some values are implemented: throws Error unless the key is absent or
  /// has one of `values`, of which the first is the default.
  void only(std::string_view key, std::initializer_list<Json> values) const;

  /// Throws the Error "<where>: <key> must be <what_must_be>, but is <value>".
  [[noreturn]] void refuse(std::string_view key, const std::string& what_must_be) const;
  [[nodiscard]] const std::string& where() const { return where_; }

private:
  template <typename Value, typename Fits>
  [[nodiscard]] Value checked(std::string_view key, const Value& fallback, const Fits& fits,
                              const std::string& what_must_be) const;

  const Json& object_;
  std::string where_;
};

} // namespace sdbench

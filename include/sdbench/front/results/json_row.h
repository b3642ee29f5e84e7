#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/results/plain_json.h"

namespace sdbench {

/// Reads a JSON record directly as a row of values. Building a JSON document in memory first would
/// take fifteen times as long. Accepts a subset of what record_from_json() accepts, with the same
/// result; everything else, errors included, is left to record_from_json(). Most objects of a file
/// have the same members in the same order. So the text between two values is compared with that of
/// the previous object instead of being parsed.
class JsonRow {
public:
  enum class Scan {
    kRow,
    kNeedsMore, ///< the bytes end before the object ends
    kNotPlain,  ///< record_from_json() must read it, or report its error
  };

  /// Scans the object that begins at the first byte. The bytes must outlive the use of values().
  [[nodiscard]] Scan scan(std::string_view bytes);

  /// Size of the object in bytes.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Names of the object's members. When they differ from those of the previous object,
  /// has_new_names() becomes true; forget_new_names() makes it false again.
  [[nodiscard]] std::vector<std::string_view> names() const {
    return {names_.begin(), names_.end()};
  }
  [[nodiscard]] bool has_new_names() const { return has_new_names_; }
  void forget_new_names() { has_new_names_ = false; }
  /// The members' values, in the order of names(). Null and unknown members are empty texts.
  [[nodiscard]] std::span<const CellValue> values() const { return values_; }
  [[nodiscard]] RawTimes take_raw_times();

private:
  enum class Kind {
    kText,
    kNumber,
    kInteger,
    kSeed, ///< an integer that may have more bits than a double holds
    kFirstImage,
    kSamples,
    kPartialRun,
    kUnknown,
  };
  struct Member {
    std::size_t lead = 0; ///< length of the text between the previous value and this one
    Kind kind = Kind::kUnknown;
    bool may_be_null = false;
  };

  [[nodiscard]] static Member member_of(std::string_view name);
  bool scan_members(PlainJson& json, std::string_view bytes);
  bool learn(PlainJson& json, std::size_t place, std::string_view bytes, std::size_t begin);
  void keep_members(std::size_t count);
  [[nodiscard]] bool names_fields_once() const;
  bool read_value(PlainJson& json, Member member);
  static bool read_integer(PlainJson& json, CellValue& value);
  bool read_partial_run(PlainJson& json);
  static bool read_run(PlainJson& json, RunSample& run);
  static bool read_seconds(PlainJson& json, double& seconds);
  static bool read_steps(PlainJson& json, std::vector<double>& steps);

  // The next three describe the previous object, as far as this one matches it.
  std::vector<Member> members_;
  std::string leads_; ///< the texts before the members' values, concatenated
  std::vector<std::string> names_;
  bool has_new_names_ = false;
  std::size_t size_ = 0;
  std::vector<CellValue> values_;
  std::deque<std::string> unescaped_;
  RawTimes raw_;
};

} // namespace sdbench

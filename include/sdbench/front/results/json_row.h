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

/// Reads a JSON record as a row of texts without a document in between, which would take fifteen
/// times as long. Accepts only what record_from_json() accepts, with the same result; leaves
/// everything else, and errors, to it. Most objects of a file have the same members in the same
/// order, so the text between two values is compared with the previous object's instead of parsed.
class JsonRow {
public:
  enum class Scan {
    kRow,
    kNeedsMore, ///< the bytes end before the object does
    kNotPlain,  ///< must be parsed as a document, to read it or to report what is wrong
  };

  explicit JsonRow(bool keeps_raw_times) : keeps_raw_times_(keeps_raw_times) {}

  /// Scans the object that begins at the first byte. The bytes must outlive the use of values().
  [[nodiscard]] Scan scan(std::string_view bytes);

  /// Bytes of the object.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Names of its members. They change only when has_new_names() becomes true, which it stays until
  /// forget_new_names().
  [[nodiscard]] std::vector<std::string_view> names() const {
    return {names_.begin(), names_.end()};
  }
  [[nodiscard]] bool has_new_names() const { return has_new_names_; }
  void forget_new_names() { has_new_names_ = false; }
  /// Null and unknown members are empty texts.
  [[nodiscard]] std::span<const CellValue> values() const { return values_; }
  [[nodiscard]] RawTimes take_raw_times();

private:
  enum class Kind {
    kText,
    kNumber,
    kInteger,
    kSeed, ///< has more bits than a double
    kFirstImage,
    kSamples,
    kPartialRun,
    kUnknown,
  };
  struct Member {
    std::size_t lead = 0; ///< bytes between the previous value and this one
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
  bool read_first_image(PlainJson& json);
  bool read_samples(PlainJson& json);
  bool read_partial_run(PlainJson& json);
  bool read_run(PlainJson& json, RunSample& run) const;
  bool read_seconds(PlainJson& json, double& seconds) const;
  bool read_steps(PlainJson& json, std::vector<double>& steps) const;

  bool keeps_raw_times_;
  // From the previous object, as far as this one matches it.
  std::vector<Member> members_;
  std::string leads_; ///< of all members, concatenated
  std::vector<std::string> names_;
  bool has_new_names_ = false;
  std::size_t size_ = 0;
  std::vector<CellValue> values_;
  std::deque<std::string> unescaped_;
  RawTimes raw_;
};

} // namespace sdbench

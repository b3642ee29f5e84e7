#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/record/cell_value.h"
#include "sdbench/base/record/raw_times.h"
#include "sdbench/front/results/plain_json.h"

namespace sdbench {

/// A record in JSON as a row of texts, with no document in between, which would take fifteen times
/// as long. It takes only what record_from_json takes, as the same; all else, and whatever is wrong
/// with it, is left to that. Objects of a file mostly have the members of the one before in the
/// same order, so what stands between two values is compared and not read.
class JsonRow {
public:
  enum class Scan {
    kRow,
    kNeedsMore, ///< the bytes end before the object does
    kNotPlain,  ///< a document must be made of it, to read it or to say what is wrong
  };

  explicit JsonRow(bool keeps_raw_times) : keeps_raw_times_(keeps_raw_times) {}

  /// The object that begins with the first of the bytes, which must live as long as values()
  /// are used.
  [[nodiscard]] Scan scan(std::string_view bytes);

  /// Bytes of the object.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Of its members. The same until has_new_names() is true, which then is so until forgotten.
  [[nodiscard]] std::vector<std::string_view> names() const {
    return {names_.begin(), names_.end()};
  }
  [[nodiscard]] bool has_new_names() const { return has_new_names_; }
  void forget_new_names() { has_new_names_ = false; }
  /// Null, and what is no field, is an empty text.
  [[nodiscard]] std::span<const CellValue> values() const { return values_; }
  [[nodiscard]] RawTimes take_raw_times();

private:
  enum class Kind {
    kText,
    kNumber,
    kInteger,
    kSeed, ///< has more bits than a CellValue
    kFirstImage,
    kSamples,
    kPartialRun,
    kUnknown,
  };
  struct Member {
    std::size_t lead = 0; ///< bytes between the value before and its own
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
  // Of the object before, as far as this one is the same.
  std::vector<Member> members_;
  std::string leads_; ///< of all members, behind each other
  std::vector<std::string> names_;
  bool has_new_names_ = false;
  std::size_t size_ = 0;
  std::vector<CellValue> values_;
  std::deque<std::string> unescaped_;
  RawTimes raw_;
};

} // namespace sdbench

#include "sdbench/front/results/merge.h"

#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {
namespace {

class MergeTarget : public RowTarget {
public:
  explicit MergeTarget(Merged& merged) : merged_(merged) {}

  void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) override {
    add(record_of_row(row, std::move(raw)), line);
  }

  void add(RunRecord record, std::size_t /*line*/) override {
    record.schema_version = kSchemaVersion; // the version in which it is written again
    const auto [place, is_new] = places_.try_emplace(record.run_id, merged_.records.size());
    if (is_new) {
      merged_.records.push_back(std::move(record));
      return;
    }
    RunRecord& known = merged_.records[place->second];
    if (has_flag(known, kContradicts) != has_flag(record, kContradicts)) { // an edited copy
      ++merged_.duplicates;
      if (has_flag(known, kContradicts)) {
        known = std::move(record);
      }
      return;
    }
    for (const FieldName field : kFactsOfARun) {
      const RecordField& of = field_named(field);
      check_same_fact(field, field_text(known, of), field_text(record, of));
    }
    ++merged_.duplicates;
    if (!has_raw_times(known) && has_raw_times(record)) {
      known = std::move(record);
    }
  }

private:
  Merged& merged_;
  std::unordered_map<std::string, std::size_t> places_; ///< by run_id
};

} // namespace

Merged merge_record_files(const std::vector<std::filesystem::path>& paths) {
  Merged merged;
  MergeTarget target(merged);
  static_cast<ReadRemarks&>(merged) = read_record_files(paths, target);
  return merged;
}

} // namespace sdbench

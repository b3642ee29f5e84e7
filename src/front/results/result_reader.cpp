#include "sdbench/front/results/result_reader.h"

#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "devices_of_sweep.h"
#include "same_run.h"
#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {
namespace {

class TableTarget : public RowTarget {
public:
  TableTarget(Results& results, const ReadOptions& options)
      : results_(results), options_(options), table_(results.table) {}

  void begin_file(const std::filesystem::path& file) override { file_ = table_.add_file(file); }

  void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) override {
    const std::size_t place = table_.add_row(origin(line));
    try {
      for (const auto& [field, value] : row) {
        table_.set(place, field, value);
      }
    } catch (...) {
      table_.drop_last();
      throw;
    }
    keep(place, std::move(raw));
  }

  void add(RunRecord record, std::size_t line) override {
    keep(table_.add(record, origin(line)), take_raw_times(record));
  }

private:
  [[nodiscard]] ResultOrigin origin(std::size_t line) const {
    return {file_, static_cast<std::uint32_t>(line)};
  }

  void keep(std::size_t place, RawTimes&& raw) {
    static const std::size_t run_id_field = field_index("run_id");
    const std::uint32_t id = table_.text_id(place, run_id_field);
    if (id >= places_.size()) {
      places_.resize(std::size_t{2} * id + 1, kNowhere);
    }
    if (places_[id] == kNowhere) {
      places_[id] = place;
    } else {
      raw = drop_copy(places_[id], place) ? std::move(raw) : RawTimes();
    }
    if (options_.raw_times && !raw.empty()) {
      results_.raw.try_emplace(std::string(table_.text(places_[id], run_id_field)), std::move(raw));
    }
  }

  [[nodiscard]] bool contradicts(std::size_t place) const {
    static const std::size_t flags_field = field_index("flags");
    return holds_flag(table_.text(place, flags_field), kContradicts);
  }

  /// Drops one of two rows of a run: the one that contradicts itself because it was edited, else
  /// the later one. Returns true if the copy's raw times belong to the row that stays.
  bool drop_copy(std::size_t known, std::size_t copy) {
    const bool is_edited = contradicts(copy);
    if (contradicts(known) != is_edited) {
      if (!is_edited) {
        static const std::size_t run_id_field = field_index("run_id");
        results_.raw.erase(std::string(table_.text(known, run_id_field)));
        table_.put_last_at(known);
      }
      table_.drop_last();
      return !is_edited;
    }
    try {
      for (const std::size_t field : facts_of_a_run()) {
        check_same_fact(field, table_.value_text(known, field), table_.value_text(copy, field));
      }
    } catch (...) {
      table_.drop_last();
      throw;
    }
    table_.drop_last();
    return true;
  }

  Results& results_;
  const ReadOptions& options_;
  ResultTable& table_;
  std::uint32_t file_ = 0;
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> places_; ///< by run_id's text id
};

} // namespace

Results read_results(const std::vector<std::filesystem::path>& paths, const ReadOptions& options) {
  Results results;
  TableTarget target(results, options);
  static_cast<ReadRemarks&>(results) = read_record_files(paths, target);
  name_devices(results.table);
  return results;
}

} // namespace sdbench

#include "sdbench/front/results/result_reader.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {
namespace {

constexpr FieldName kOfDevice[] = {"env_id",      "device_kind",        "device_name",
                                   "device_arch", "compute_capability", "driver_version",
                                   "device_uuid"};

/// Text ids of the scope (sweep or host), the host and the asked device.
using Asked = std::array<std::uint32_t, 3>;

Asked asked_in(const ResultTable& table, std::size_t row, FieldName scope) {
  return {table.text_id(row, scope), table.text_id(row, "host"), table.text_id(row, "device")};
}

bool is_named(const ResultTable& table, std::size_t row) {
  return !table.text(row, "device_name").empty();
}

bool are_on_one_device(const ResultTable& table, std::size_t a, std::size_t b) {
  return table.text(a, "device_name") == table.text(b, "device_name") &&
         table.text(a, "device_uuid") == table.text(b, "device_uuid");
}

/// A row that ran, by what it asked for; nullopt if such rows ran on several devices.
std::map<Asked, std::optional<std::size_t>> rows_that_ran(const ResultTable& table,
                                                          FieldName scope) {
  std::map<Asked, std::optional<std::size_t>> rows;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (is_named(table, row)) {
      auto& known = rows.try_emplace(asked_in(table, row, scope), row).first->second;
      if (known && !are_on_one_device(table, *known, row)) {
        known = std::nullopt;
      }
    }
  }
  return rows;
}

std::vector<std::size_t> unnamed_rows(const ResultTable& table) {
  std::vector<std::size_t> rows = table.all_rows();
  std::erase_if(rows, [&](std::size_t row) { return is_named(table, row); });
  return rows;
}

/// Names the device of rows that failed or were skipped before a worker told it. Such a row gets
/// the device on which other rows of its sweep ran, or else other rows of its host, if they asked
/// for the same device ("auto", "cuda:1") and all ran on one. Other rows stay as they are.
void name_devices(ResultTable& table) {
  for (const FieldName scope : {FieldName("sweep_id"), FieldName("host")}) {
    const std::vector<std::size_t> unnamed = unnamed_rows(table);
    if (unnamed.empty()) {
      return; // the usual case costs no search
    }
    const auto ran = rows_that_ran(table, scope);
    for (const std::size_t row : unnamed) {
      const auto found = ran.find(asked_in(table, row, scope));
      if (found == ran.end() || !found->second) {
        continue;
      }
      for (const FieldName field : kOfDevice) {
        table.set(row, field.place(), table.text(*found->second, field));
      }
    }
  }
}

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
    const std::uint32_t id = table_.text_id(place, "run_id");
    if (id >= places_.size()) {
      places_.resize(std::size_t{2} * id + 1, kNowhere);
    }
    if (places_[id] == kNowhere) {
      places_[id] = place;
    } else {
      raw = drop_copy(places_[id], place) ? std::move(raw) : RawTimes();
    }
    if (options_.raw_times && !raw.empty()) {
      results_.raw.try_emplace(std::string(table_.text(places_[id], "run_id")), std::move(raw));
    }
  }

  [[nodiscard]] bool contradicts(std::size_t place) const {
    return holds_flag(table_.text(place, "flags"), kContradicts);
  }

  /// Drops one of two rows of a run: the one that contradicts itself because it was edited, else
  /// the later one. Returns true if the copy's raw times belong to the row that stays.
  bool drop_copy(std::size_t known, std::size_t copy) {
    const bool is_edited = contradicts(copy);
    if (contradicts(known) != is_edited) {
      if (!is_edited) {
        results_.raw.erase(std::string(table_.text(known, "run_id")));
        table_.put_last_at(known);
      }
      table_.drop_last();
      return !is_edited;
    }
    try {
      for (const FieldName field : kFactsOfARun) {
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

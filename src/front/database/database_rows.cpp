#include "sdbench/front/database/database_rows.h"

#include <limits>

#include "samples_table.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/field_access.h"

namespace sdbench {
namespace {

/// The seconds of a column; NaN for NULL, which is a missing time.
double seconds_at(const Statement& row, int column) {
  return row.is_number(column) ? row.number(column) : std::numeric_limits<double>::quiet_NaN();
}

/// The times of a run's parts; empty if the run has no parts with columns, see kPartsWithColumn.
std::vector<PartTime> parts_of(const Statement& row) {
  std::vector<PartTime> parts;
  bool has_time = false;
  int column = kFirstPartColumn;
  for (const std::string_view part : kPartsWithColumn) {
    has_time = has_time || row.is_number(column);
    parts.push_back({std::string(part), seconds_at(row, column++)});
  }
  return has_time ? parts : std::vector<PartTime>();
}

} // namespace

DatabaseRows::DatabaseRows(const std::filesystem::path& file)
    : database_(file, Database::Mode::kRead) {
  if (has_table("runs")) {
    rows_ = database_.prepare("SELECT " + known_columns() + " FROM runs ORDER BY rowid");
  }
}

bool DatabaseRows::has_table(const std::string& name) {
  Statement found =
      database_.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? "
                        "AND rootpage > 0"); // excludes virtual tables, which run code
  found.bind_text(0, name);
  return found.step();
}

/// The record's fields that are stored in the file. Excludes generated columns (hidden is not 0),
/// whose computation could take any time and memory.
std::string DatabaseRows::known_columns() {
  Statement columns =
      database_.prepare("SELECT name FROM pragma_table_xinfo('runs') WHERE hidden = 0");
  std::string names;
  while (columns.step()) {
    const std::string name(columns.text(0).value_or(""));
    if (find_field(name)) {
      names += (names.empty() ? "" : ", ") + name;
    }
  }
  return names.empty() ? "NULL AS none" : names;
}

std::vector<std::string_view> DatabaseRows::columns() const {
  std::vector<std::string_view> names;
  names.reserve(static_cast<std::size_t>(rows_->column_count()));
  for (int column = 0; column < rows_->column_count(); ++column) {
    names.push_back(rows_->column_name(column));
  }
  return names;
}

std::span<const CellValue> DatabaseRows::values() {
  values_.resize(static_cast<std::size_t>(rows_->column_count()));
  for (int column = 0; CellValue & value : values_) {
    rows_->read(column++, value);
  }
  return values_;
}

RawTimes DatabaseRows::raw_times(std::string_view run_id) {
  RawTimes raw;
  if (!samples_) { // prepared late, so that runs can be read even if the samples table is foreign
    if (!has_table("samples")) {
      return raw;
    }
    samples_ = database_.prepare(std::string("SELECT ") + kSamplesColumns +
                                 " FROM samples WHERE run_id = ? ORDER BY part, run, step");
  }
  samples_->reset();
  samples_->bind_text(0, run_id);
  while (samples_->step()) {
    const std::string part(samples_->text(1).value_or(""));
    const bool is_whole_run = samples_->number(3) == 0;
    const double seconds = seconds_at(*samples_, 4);
    if (is_whole_run && part == kPartial) {
      raw.partial_run = PartialRun{unescape_text(samples_->text(9).value_or("")), {}};
    } else if (is_whole_run) {
      RunSample& run = part == kFirstImage ? raw.first_image.emplace() : raw.samples.emplace_back();
      run.parts = parts_of(*samples_);
      run.start_s = seconds_at(*samples_, 8);
      run.e2e_s = seconds;
    } else if (part == kPartial && raw.partial_run) {
      raw.partial_run->step_s.push_back(seconds);
    } else if (part == kFirstImage && raw.first_image) {
      raw.first_image->step_s.push_back(seconds);
    } else if (part == kTimed && !raw.samples.empty()) {
      raw.samples.back().step_s.push_back(seconds);
    }
  }
  return raw;
}

} // namespace sdbench

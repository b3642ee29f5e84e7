#pragma once

#include <cstdlib>
#include <exception>
#include <string>

#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/results/row_report.h"
#include "sdbench/front/results/strict_rows.h"

namespace sdbench::fuzz {

/// What must hold of each row that a reader tells: a table and a record take it or refuse it alike,
/// and what a record took is written and read again as the same.
class CheckedRows : public RowTarget {
public:
  void add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) override {
    RunRecord record;
    bool table_refused = false;
    bool record_refused = false;
    try {
      const std::size_t place = table_.add_row({});
      for (const auto& [field, value] : row) {
        table_.set(place, field, value);
      }
    } catch (const FieldError&) {
      table_refused = true;
      table_.drop_last();
    }
    try {
      record = record_of_row(row, std::move(raw));
    } catch (const FieldError&) {
      record_refused = true;
    }
    if (table_refused != record_refused) {
      std::abort();
    }
    if (record_refused) {
      throw FieldError("some", "must be another");
    }
    add(std::move(record), line);
  }

  void add(RunRecord record, std::size_t /*line*/) override {
    record.schema_version =
        kSchemaVersion; // its words are today's now, as all who write it again have it
    const std::string written = to_csv_row(record);
    const auto read = records_of_text(csv_header() + written, "again.csv");
    if (read.size() != 1 || to_csv_row(read[0]) != written) {
      std::abort();
    }
    table_.add(record);
  }

private:
  ResultTable table_;
};

/// What is said of bad rows must be said.
inline void check_bad(RowReport& report) {
  for (const BadRow& bad : report.take_bad()) {
    if (bad.reason.empty() || bad.text().size() > 3000) {
      std::abort();
    }
  }
}

} // namespace sdbench::fuzz

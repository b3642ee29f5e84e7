#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../compare/compare_rows.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/cell_trend.h"

namespace sdbench::test {

/// The date of a night: "2026-01-07" for 6.
[[nodiscard]] inline std::string date_of(std::size_t night) {
  constexpr std::int64_t kFirstOf2026 = 20454;
  return date_text(kFirstOf2026 + static_cast<std::int64_t>(night));
}

/// What may change from night to night on one card: software, parts of the machine, and what
/// options came to. The card's state is apart.
[[nodiscard]] inline std::vector<FieldName> changing_fields() {
  std::vector<FieldName> fields(telling_fields().begin(), telling_fields().end());
  for (std::size_t place = FieldName("device_pci_address").place();
       place < FieldName("telemetry_samples").place(); ++place) {
    if (std::ranges::find(fields, FieldName::at(place)) == fields.end()) {
      fields.push_back(FieldName::at(place));
    }
  }
  std::set<std::string_view> asked = {"host", "device_name", "device_kind"};
  for (const FieldName field : variant_fields()) {
    asked.insert(field.text());
  }
  for (const char* const came : {"dtype_unet", "threads", "runtime_version"}) {
    asked.erase(came);
  }
  std::erase_if(fields, [&](FieldName field) { return asked.contains(field.text()); });
  return fields;
}

[[nodiscard]] inline bool is_text(FieldName field) {
  return type_name(field_named(field)) == "text";
}

/// A good row of a night's session, in which no field of changing_fields() is unknown: it/s of a
/// night differ by tenths of a percent.
[[nodiscard]] inline RunRecord night_row(std::size_t night, double it_s = 100) {
  const double wobble = 1 + 0.003 * (static_cast<double>(night % 3) - 1);
  const std::string name = "n" + std::to_string(night);
  RunRecord row = row_of(it_s * wobble, name);
  row.sweep_id = name;
  row.time_utc = date_of(night) + "T22:30:00Z";
  row.asked_dtype = "auto";
  row.asked_threads = 0;
  row.device_uuid = "GPU-0";
  for (const FieldName field : changing_fields()) { // an unknown value would divide nothing
    if (field_text(row, field_named(field)).empty()) {
      set_field_text(row, field_named(field), is_text(field) ? "old" : "1");
    }
  }
  return row;
}

[[nodiscard]] inline std::vector<RunRecord> night_rows(std::size_t nights, double it_s = 100) {
  std::vector<RunRecord> rows;
  for (std::size_t night = 0; night < nights; ++night) {
    rows.push_back(night_row(night, it_s));
  }
  return rows;
}

struct Trended {
  ResultTable table;
  Trends trends;
};

[[nodiscard]] inline Trended trended(const std::vector<RunRecord>& records,
                                     const std::string& metric = "unet_it_s") {
  Trended result;
  const std::uint32_t file = result.table.add_file("nightly.csv");
  std::vector<std::size_t> rows;
  for (const RunRecord& record : records) {
    rows.push_back(result.table.add(record, {file, static_cast<std::uint32_t>(rows.size() + 2)}));
  }
  result.trends = cell_trends(result.table, rows, find_metric(metric), "2027-01-01T00:00:00Z");
  return result;
}

} // namespace sdbench::test

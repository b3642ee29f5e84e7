#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/cell_trend.h"
#include "sdbench/front/trend/trend_check.h"

namespace sdbench {

/// The terminal's table, the forms of tables (see ViewForm), JSON, and JUnit's XML.
[[nodiscard]] const std::vector<CompareFormat>& trend_formats();

/// Every night of every cell, in SI units, as {"trends": [...]}.
[[nodiscard]] nlohmann::ordered_json to_json(const Trends& trends, const ResultTable& table);

/// The trends and findings of one metric.
struct JudgedTrends {
  const Trends* trends;
  std::vector<TrendFinding> findings;
};
/// A test case for each cell and metric. Slower or broken is a failure; undecided or not judged is
/// skipped.
[[nodiscard]] std::string to_junit(std::span<const JudgedTrends> judged);

/// True if a text begins like the output of sdbench trend in that format.
[[nodiscard]] bool is_trend(std::string_view text, std::string_view format);

} // namespace sdbench

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

/// The output formats of `sdbench trend`: the table for the terminal, all other tables for people
/// (see ViewForm), JSON, and JUnit XML.
[[nodiscard]] const std::vector<CompareFormat>& trend_formats();

/// All nights of all cells, in SI units, as the JSON object {"trends": [...]}.
[[nodiscard]] nlohmann::ordered_json to_json(const Trends& trends, const ResultTable& table);

/// The trends and findings of one metric.
struct JudgedTrends {
  const Trends* trends;
  std::vector<TrendFinding> findings;
};
/// JUnit XML with a test case for each cell and metric. Slower and broken cells are failures;
/// undecided and not judged ones are skipped.
[[nodiscard]] std::string to_junit(std::span<const JudgedTrends> judged);

/// True if the text begins like output of `sdbench trend` in this format.
[[nodiscard]] bool is_trend(std::string_view text, std::string_view format);

} // namespace sdbench

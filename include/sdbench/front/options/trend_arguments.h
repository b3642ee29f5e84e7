#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/row_filter.h"

namespace sdbench {

/// The parsed arguments of `sdbench trend`.
struct TrendArguments {
  std::vector<std::filesystem::path> paths; ///< at least one
  std::vector<Metric> metrics;              ///< from --metric; empty: the defaults (metric.h)
  std::vector<RowFilter> filters;
  std::string title;                  ///< text of --title; empty: no title
  std::string format;                 ///< the name of one of trend_formats()
  std::filesystem::path output;       ///< empty: standard output
  bool overwrite = false;             ///< replace the output file even if it is not a trend
  bool is_private = false;            ///< the output keeps private fields such as hosts
  std::optional<double> slower_limit; ///< from --fail-if-slower: 0.05 is 5 %
};

/// Parses the arguments of `sdbench trend`. Returns nullopt after --help, whose output it writes to
/// `out`. Throws UsageError.
[[nodiscard]] std::optional<TrendArguments>
parse_trend_arguments(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace sdbench

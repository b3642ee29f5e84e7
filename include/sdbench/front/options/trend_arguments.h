#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/row_filter.h"

namespace sdbench {

/// `sdbench trend`, understood.
struct TrendArguments {
  std::vector<std::filesystem::path> paths; ///< at least one
  std::vector<Metric> metrics;              ///< of --metric; empty: the rows' usual one
  std::vector<RowFilter> filters;
  std::string title;                  ///< of --title; empty: none
  std::string format;                 ///< the name of one of trend_formats()
  std::filesystem::path output;       ///< empty: standard output
  bool overwrite = false;             ///< what is no trend, too
  bool is_private = false;            ///< the file, too, holds names of hosts and the like
  std::optional<double> slower_limit; ///< of --fail-if-slower: 0.05 is 5 %
};

/// Nothing if --help was asked for, which is then on `out`. Throws UsageError.
[[nodiscard]] std::optional<TrendArguments>
parse_trend_arguments(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/front/compare/compare_fields.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/row_filter.h"

namespace sdbench {

/// The parsed arguments of `sdbench compare`.
struct CompareArguments {
  std::vector<std::filesystem::path> paths; ///< at least one; the baseline's first
  CompareOptions options;
  std::vector<Metric> metrics;      ///< from --metric; empty: the rows' default metrics
  std::vector<CompareField> fields; ///< from --fields; empty: the usual columns
  std::vector<RowFilter> filters;
  std::vector<std::string> tag_keys; ///< keys of tags in --rows and --columns; empty: all count
  bool with_published = false;
  bool missing = false;               ///< --missing: list the cells that cards lack
  std::string format;                 ///< the name of a CompareFormat
  std::filesystem::path output;       ///< empty: standard output
  std::string title;                  ///< above the tables; empty: none
  bool overwrite = false;             ///< replace even a file that is not a comparison
  bool is_private = false;            ///< the output keeps private fields such as hosts
  std::vector<std::string> explain;   ///< the two rows of --explain; empty: not given
  std::optional<double> slower_limit; ///< from --fail-if-slower: 0.05 is 5 %
  bool confirm = false;               ///< run slower cells again before failing
  std::optional<double> timeout_s;    ///< longest time without worker output in these runs
};

/// Parses the arguments of `sdbench compare`. Returns nullopt after --help, whose output it writes
/// to `out`. Throws UsageError.
[[nodiscard]] std::optional<CompareArguments>
parse_compare_arguments(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace sdbench

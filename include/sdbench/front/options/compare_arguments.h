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

/// `sdbench compare`, understood.
struct CompareArguments {
  std::vector<std::filesystem::path> paths; ///< at least one; the baseline's first
  CompareOptions options;
  std::vector<Metric> metrics;      ///< from --metric; empty: the rows' usual one
  std::vector<CompareField> fields; ///< columns of detail; empty: the usual ones
  std::vector<RowFilter> filters;
  std::vector<std::string> tag_keys; ///< of --rows and --columns; empty: rows keep all their tags
  bool with_published = false;
  bool missing = false;               ///< cells that cards lack are listed
  std::string format;                 ///< the name of a CompareFormat
  std::filesystem::path output;       ///< empty: standard output
  std::string title;                  ///< above the tables; empty: none
  bool overwrite = false;             ///< even an output that is not a comparison
  bool is_private = false;            ///< the output keeps private fields such as hosts
  std::vector<std::string> explain;   ///< two rows, or none
  std::optional<double> slower_limit; ///< from --fail-if-slower: 0.05 is 5 %
  bool confirm = false;               ///< runs slower cells again before it fails
  std::optional<double> timeout_s;    ///< longest silence of the worker in these runs
};

/// The arguments; nothing if --help was asked for, which is then on `out`. Throws UsageError.
[[nodiscard]] std::optional<CompareArguments>
parse_compare_arguments(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace sdbench

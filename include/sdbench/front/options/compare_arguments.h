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
  std::vector<std::filesystem::path> paths; ///< at least one; the baseline file, if any, is first
  CompareOptions options;
  std::vector<Metric> metrics;      ///< from --metric; empty: the defaults (metric.h)
  std::vector<CompareField> fields; ///< from --fields; empty: the default columns
  std::vector<RowFilter> filters;
  std::vector<std::string> tag_keys; ///< from tag:KEY in --rows and --columns; empty: all tags
  bool with_published = false;
  bool missing = false;               ///< --missing: list cells that one card lacks and another has
  std::string format;                 ///< the name of a CompareFormat
  std::filesystem::path output;       ///< empty: standard output
  std::string title;                  ///< text of --title; empty: no title
  bool overwrite = false;             ///< replace the output file even if it is not a comparison
  bool is_private = false;            ///< the output keeps private fields such as hosts
  std::vector<std::string> explain;   ///< names of the two rows of --explain; empty: not given
  std::optional<double> slower_limit; ///< from --fail-if-slower: 0.05 is 5 %
  bool confirm = false;               ///< --confirm: repeat cells that were slower or failed
  std::optional<double> timeout_s;    ///< --confirm ends a worker silent for this many seconds
};

/// Parses the arguments of `sdbench compare`. Returns nullopt after --help, whose output it writes
/// to `out`. Throws UsageError.
[[nodiscard]] std::optional<CompareArguments>
parse_compare_arguments(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace sdbench

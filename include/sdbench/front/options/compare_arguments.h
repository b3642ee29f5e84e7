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
  std::vector<Metric> metrics;      ///< of --metric; empty: the rows' usual one
  std::vector<CompareField> fields; ///< columns of detail; empty: the usual ones
  std::vector<RowFilter> filters;
  std::vector<std::string> tag_keys; ///< of --rows and --columns; empty: rows keep all their tags
  bool with_published = false;
  bool missing = false;               ///< cells that cards lack are listed
  std::string format;                 ///< the name of a CompareFormat
  std::filesystem::path output;       ///< empty: standard output
  std::string title;                  ///< above the tables; empty: none
  bool overwrite = false;             ///< what is no comparison, too
  bool is_private = false;            ///< the file, too, holds names of hosts and the like
  std::vector<std::string> explain;   ///< two rows, or none
  std::optional<double> slower_limit; ///< of --fail-if-slower: 0.05 is 5 %
  bool confirm = false;               ///< what is slower runs again before it fails
  std::optional<double> timeout_s;    ///< of what runs again: longest silence of the worker
};

/// Nothing if --help was asked for, which is then on `out`. Throws UsageError.
[[nodiscard]] std::optional<CompareArguments>
parse_compare_arguments(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace sdbench

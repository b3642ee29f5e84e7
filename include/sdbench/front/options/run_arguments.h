#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_options.h"

namespace sdbench {

/// `sdbench run`, understood.
struct RunArguments {
  RunOptions options;             ///< options of the whole run; its cell is the first one
  std::vector<RunOptions> cells;  ///< a sweep's, at least one
  std::vector<AbsentAxes> absent; ///< axes that engines do not have
  int verbosity = 0;              ///< -1: -q, 1: -v
};

/// Parses the arguments of `sdbench run`. `all`: see OptionLayers::expanded. Nothing after --help
/// or --version, whose output is then on `out`. Throws UsageError or Error.
[[nodiscard]] std::optional<RunArguments>
parse_run_arguments(const std::vector<std::string>& arguments, std::ostream& out,
                    const EnginesOfDevice& all = {});

/// The text of --version: version, commit, build type, and the libtorch versions that have workers.
[[nodiscard]] std::string version_text();

/// The JSON of --version --json, with a record's field names: an object with sdbench_version,
/// git_sha, build_type, schema_version, workers ({libtorch_version, program}) and cache_folder
/// (empty if unknown).
[[nodiscard]] std::string version_json();

} // namespace sdbench

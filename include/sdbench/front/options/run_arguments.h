#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_options.h"

namespace sdbench {

/// The parsed arguments of `sdbench run`.
struct RunArguments {
  RunOptions options;             ///< options of the whole run; options.cell is the first cell
  std::vector<RunOptions> cells;  ///< the cells of the sweep, at least one
  std::vector<AbsentAxes> absent; ///< for each engine, the user's options that it does not support
  int verbosity = 0;              ///< -1 for -q, 1 for -v, else 0
};

/// Parses the arguments of `sdbench run`. `all`: the engines of --engine all. Returns nullopt after
/// --help or --version, whose output it writes to `out`. Throws UsageError or Error.
[[nodiscard]] std::optional<RunArguments>
parse_run_arguments(const std::vector<std::string>& arguments, std::ostream& out,
                    const EnginesOfDevice& all = {});

/// The text of --version: version, commit, build type, and the libtorch versions that have workers.
[[nodiscard]] std::string version_text();

/// The output of --version --json: an object with sdbench_version, git_sha, build_type,
/// schema_version, workers (an array of {libtorch_version, program}) and cache_folder (empty if
/// unknown). A member that is also a field of a record has the field's name.
[[nodiscard]] std::string version_json();

} // namespace sdbench

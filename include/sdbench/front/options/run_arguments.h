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

} // namespace sdbench

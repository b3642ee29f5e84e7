#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <vector>

#include <spdlog/logger.h>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// A logger to `err`, which folds lines to its terminal. Verbosity -1 (-q): warnings and errors; 0:
/// normal; 1 (-v): everything.
[[nodiscard]] std::shared_ptr<spdlog::logger> make_logger(std::ostream& err, int verbosity,
                                                          LiveTerminal terminal = {});

/// A line for each file that a run has written.
void say_saved(spdlog::logger& logger, const std::vector<std::filesystem::path>& files);

} // namespace sdbench

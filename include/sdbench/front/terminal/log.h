#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <vector>

#include <spdlog/logger.h>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Makes a logger that writes to `err` and folds lines to the width of its terminal. Verbosity -1
/// (-q): warnings and errors; 0: normal; 1 (-v): everything.
[[nodiscard]] std::shared_ptr<spdlog::logger> make_logger(std::ostream& err, int verbosity,
                                                          LiveTerminal terminal = {});

/// Logs one line for each file that a run has written.
void say_saved(spdlog::logger& logger, const std::vector<std::filesystem::path>& files);

} // namespace sdbench

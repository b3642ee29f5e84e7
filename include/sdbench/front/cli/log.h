#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <vector>

#include <spdlog/logger.h>

namespace sdbench {

/// Lines for people on `err`. Verbosity -1 (-q): warnings and errors; 0: what a user wants to know;
/// 1 (-v): everything.
[[nodiscard]] std::shared_ptr<spdlog::logger> make_logger(std::ostream& err, int verbosity);

/// A line for each file that a run has written.
void say_saved(spdlog::logger& logger, const std::vector<std::filesystem::path>& files);

} // namespace sdbench

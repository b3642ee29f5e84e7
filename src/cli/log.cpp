#include "sdbench/cli/log.h"

#include <spdlog/sinks/ostream_sink.h>

namespace sdbench {

std::shared_ptr<spdlog::logger> make_logger(std::ostream& err, int verbosity) {
  constexpr bool kFlushEachLine = true;
  auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(err, kFlushEachLine);
  auto logger = std::make_shared<spdlog::logger>("sdbench", std::move(sink));
  logger->set_pattern("%v"); // for a person at a terminal, not for a log collector
  logger->set_level(verbosity < 0    ? spdlog::level::warn
                    : verbosity == 0 ? spdlog::level::info
                                     : spdlog::level::debug);
  return logger;
}

} // namespace sdbench

#include "sdbench/front/cli/log.h"

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>

#include "sdbench/base/core/escape.h"

namespace sdbench {
namespace {

/// A line each, flushed. What stands in it (a path, a worker's note) does not command the terminal.
class LineSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
public:
  explicit LineSink(std::ostream& err) : err_(err) {}

private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    err_ << message_line({message.payload.data(), message.payload.size()}) << std::endl;
  }
  void flush_() override { err_.flush(); }

  std::ostream& err_;
};

} // namespace

std::shared_ptr<spdlog::logger> make_logger(std::ostream& err, int verbosity) {
  auto logger = std::make_shared<spdlog::logger>("sdbench", std::make_shared<LineSink>(err));
  logger->set_level(verbosity < 0    ? spdlog::level::warn
                    : verbosity == 0 ? spdlog::level::info
                                     : spdlog::level::debug);
  return logger;
}

void say_saved(spdlog::logger& logger, const std::vector<std::filesystem::path>& files) {
  for (const auto& file : files) {
    logger.info("saved      {}", file.string());
  }
}

} // namespace sdbench

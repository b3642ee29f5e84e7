#include "sdbench/front/terminal/log.h"

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>

#include "sdbench/front/terminal/folded_message.h"

namespace sdbench {
namespace {

/// Writes one line per message and flushes it. Text in it (a path, a worker's note) cannot control
/// the terminal.
class LineSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
public:
  LineSink(std::ostream& err, LiveTerminal terminal) : err_(err), terminal_(terminal) {}

private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    write_message(err_, terminal_, {message.payload.data(), message.payload.size()});
  }
  void flush_() override { err_.flush(); }

  std::ostream& err_;
  LiveTerminal terminal_;
};

} // namespace

std::shared_ptr<spdlog::logger> make_logger(std::ostream& err, int verbosity,
                                            LiveTerminal terminal) {
  auto logger =
      std::make_shared<spdlog::logger>("sdbench", std::make_shared<LineSink>(err, terminal));
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

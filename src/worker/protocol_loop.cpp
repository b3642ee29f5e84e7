#include "sdbench/worker/protocol_loop.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <utility>

#include <torch/version.h>
#include <unistd.h>

#include "sdbench/executor/protocol.h"
#include "sdbench/worker/cell_failure.h"
#include "sdbench/worker/export_weights.h"
#include "sdbench/worker/torch_executor.h"

namespace sdbench {
namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free); // a signal handler sets it

void request_stop(int) {
  stop_requested = true;
}

/// Without SA_RESTART, so that a read that waits for the next request ends, too.
void install_stop_handler() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  ::sigaction(SIGTERM, &action, nullptr);
}

/// Sends what it hears as events, a line each.
class EventWriter final : public ExecutorObserver {
public:
  explicit EventWriter(int descriptor) : descriptor_(descriptor) {}

  void send(const protocol::Event& event) {
    std::string line = protocol::encode(event) + "\n";
    for (std::string_view rest = line; !rest.empty();) {
      const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
      if (count >= 0) {
        rest.remove_prefix(static_cast<std::size_t>(count));
      } else if (errno != EINTR) {
        throw Error("the front program is gone"); // SIGPIPE mostly comes first
      }
    }
  }

  void on_stage(std::string_view stage) override {
    send(protocol::StageEvent{std::string(stage)});
    last_step_ = {};
  }
  void on_device(const DeviceInfo& device) override { send(protocol::DeviceEvent{device}); }
  void on_loaded(const CellResult& so_far) override { send(protocol::LoadedEvent{so_far}); }
  void on_sample(bool first_image, const RunSample& sample) override {
    send(protocol::SampleEvent{first_image, sample});
  }
  void on_note(std::string_view text) override { send(protocol::NoteEvent{std::string(text)}); }

  /// Steps of a millisecond are told at most twenty times a second: the message must not cost what
  /// it reports.
  void on_step(std::int64_t run, std::int64_t step, std::int64_t steps, double seconds) override {
    constexpr auto kPause = std::chrono::milliseconds(50);
    const auto now = std::chrono::steady_clock::now();
    if (step + 1 == steps || now - last_step_ >= kPause) {
      last_step_ = now;
      send(protocol::StepEvent{run, step, steps, seconds});
    }
  }

private:
  int descriptor_;
  std::chrono::steady_clock::time_point last_step_;
};

/// The next request's line, or nothing once the pipe ends or a stop is asked for.
std::optional<std::string> read_line(int descriptor, std::string& buffer) {
  for (;;) {
    if (const std::size_t newline = buffer.find('\n'); newline != std::string::npos) {
      std::string line = buffer.substr(0, newline);
      buffer.erase(0, newline + 1);
      return line;
    }
    char bytes[1 << 16];
    const ssize_t count = ::read(descriptor, bytes, sizeof bytes);
    if (count <= 0) {
      return std::nullopt;
    }
    buffer.append(bytes, static_cast<std::size_t>(count));
  }
}

CellOutcome answer(const std::string& line, TorchExecutor& executor, EventWriter& events) {
  CellOutcome outcome;
  try {
    const protocol::Request request = protocol::decode_request(line);
    if (const auto* run = std::get_if<protocol::RunRequest>(&request)) {
      return executor.run(run->cell, events);
    }
    if (const auto* wanted = std::get_if<protocol::ExportRequest>(&request)) {
      events.on_stage("export");
      export_weights(*wanted);
    } else {
      std::ranges::for_each(executor.devices(),
                            [&](const DeviceInfo& device) { events.on_device(device); });
    }
    outcome.status = Status::kOk;
  } catch (...) {
    outcome = outcome_of_current_exception();
    outcome.stage = "start";
  }
  return outcome;
}

} // namespace

int run_protocol_loop(int requests, int events) {
  install_stop_handler();
  EventWriter writer(events);
  writer.send(protocol::Hello{protocol::kVersion, TORCH_VERSION});
  TorchExecutor executor(&stop_requested);
  std::string buffer;
  while (!stop_requested) {
    const std::optional<std::string> line = read_line(requests, buffer);
    if (!line) {
      break;
    }
    writer.send(protocol::OutcomeEvent{answer(*line, executor, writer)});
  }
  return 0;
}

} // namespace sdbench

#include "sdbench/engine/worker/message_loop.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include <poll.h>
#include <torch/version.h>
#include <unistd.h>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/engine/worker/exception_outcome.h"
#include "sdbench/engine/worker/export_weights.h"
#include "sdbench/engine/worker/torch_executor.h"

namespace sdbench {
namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free); // a signal handler sets it

void request_stop(int) {
  stop_requested = true;
}

/// Without SA_RESTART, so that a signal also ends a wait for the next request.
void install_stop_handler() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  ::sigaction(SIGTERM, &action, nullptr);
}

/// Reads the front's requests, one per line.
class RequestReader {
public:
  explicit RequestReader(int descriptor) : descriptor_(descriptor) {}

  /// The next line. Empty once the pipe has ended or a stop is requested.
  std::optional<std::string> next() {
    while (!stop_requested) {
      if (const std::size_t newline = buffer_.find('\n'); newline != std::string::npos) {
        std::string line = buffer_.substr(0, newline);
        buffer_.erase(0, newline + 1);
        return line;
      }
      if (!is_readable()) {
        continue;
      }
      char bytes[1 << 16];
      const ssize_t count = ::read(descriptor_, bytes, sizeof bytes);
      if (count <= 0) {
        return std::nullopt;
      }
      buffer_.append(bytes, static_cast<std::size_t>(count));
    }
    return std::nullopt;
  }

private:
  /// Waits for input, but only briefly: a signal that arrives just before poll() does not end it.
  [[nodiscard]] bool is_readable() const {
    constexpr int kLookMilliseconds = 100;
    pollfd wait{descriptor_, POLLIN, 0};
    return ::poll(&wait, 1, kLookMilliseconds) > 0;
  }

  int descriptor_;
  std::string buffer_;
};

/// Sends each event that it hears as one line.
class EventWriter final : public ExecutorObserver {
public:
  EventWriter(int descriptor, RequestReader& requests)
      : descriptor_(descriptor), requests_(requests) {}

  void send(const messages::Event& event) {
    std::string line = messages::encode(event) + "\n";
    for (std::string_view rest = line; !rest.empty();) {
      const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
      if (count >= 0) {
        rest.remove_prefix(static_cast<std::size_t>(count));
      } else if (errno != EINTR) {
        throw Error("the front program is gone"); // SIGPIPE usually comes first
      }
    }
  }
  /// If `wanted`, timed runs wait for the front's "go".
  void wait_for_go(bool wanted) { wait_for_go_ = wanted; }

  void on_event(const CellEvent& event) override {
    std::visit([this](const auto& one) { hear(one); }, event);
  }

private:
  template <typename Event>
  void hear(const Event& event) {
    if constexpr (std::is_constructible_v<messages::Event, const Event&>) {
      send(event);
    }
  }

  void hear(const StageEvent& event) {
    send(event);
    last_step_ = {};
  }

  void hear(const ReadyEvent& event) {
    if (!wait_for_go_) {
      return;
    }
    send(event);
    const std::optional<std::string> line = requests_.next();
    if (!line) {
      return; // the cell sees a stop itself; without a front its next message fails and ends it
    }
    if (!std::holds_alternative<messages::GoRequest>(messages::decode_request(*line))) {
      throw Error("protocol: a cell that is ready must be told go, but is told " + *line);
    }
  }

  /// Sends at most twenty steps a second: for a step of a millisecond, a message could cost as much
  /// as the step.
  void hear(const StepEvent& event) {
    constexpr auto kPause = std::chrono::milliseconds(50);
    const auto now = std::chrono::steady_clock::now();
    if (event.step + 1 == event.steps || now - last_step_ >= kPause) {
      last_step_ = now;
      send(event);
    }
  }

  int descriptor_;
  RequestReader& requests_;
  bool wait_for_go_ = false;
  std::chrono::steady_clock::time_point last_step_;
};

CellOutcome answer(const std::string& line, TorchExecutor& executor, EventWriter& events) {
  CellOutcome outcome;
  try {
    const messages::Request request = messages::decode_request(line);
    if (const auto* run = std::get_if<messages::RunRequest>(&request)) {
      events.wait_for_go(!run->cell.parallel_devices.empty());
      return executor.run(run->cell, events);
    }
    if (const auto* probe = std::get_if<messages::ProbeRequest>(&request)) {
      return executor.probe(probe->place, events);
    }
    if (std::holds_alternative<messages::GoRequest>(request)) {
      throw Error("protocol: go must follow the worker's ready, but no cell is ready");
    }
    if (const auto* asked = std::get_if<messages::EstimateRequest>(&request)) {
      outcome.result.emplace().expected_s = executor.estimate(asked->cell);
    } else if (const auto* wanted = std::get_if<messages::ExportRequest>(&request)) {
      events.on_event(StageEvent{CellStage::kExport});
      export_weights(*wanted, &stop_requested);
    } else {
      std::ranges::for_each(executor.devices(), [&](const DeviceInfo& device) {
        events.on_event(DeviceEvent{device});
      });
    }
    outcome.status = Status::kOk;
  } catch (...) {
    outcome = outcome_of_current_exception(Task::kGenerate);
    outcome.stage = CellStage::kStart;
  }
  return outcome;
}

} // namespace

int run_message_loop(int requests, int events) {
  install_stop_handler();
  RequestReader reader(requests);
  EventWriter writer(events, reader);
  writer.send(messages::Hello{messages::kVersion, TORCH_VERSION});
  TorchExecutor executor(&stop_requested);
  while (const std::optional<std::string> line = reader.next()) {
    writer.send(messages::OutcomeEvent{answer(*line, executor, writer)});
  }
  return 0;
}

} // namespace sdbench

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "child_process.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/bench/line_buffer.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/telemetry/gpu_reading.h"

namespace sdbench {

/// One worker process and the conversation with it.
class WorkerSession {
public:
  /// Starts the worker. `options` must outlive this.
  WorkerSession(const WorkerOptions& options, WorkerSeat seat);

  /// Sends one request and hears its events until the outcome, the process' end, nonsense, a
  /// silence too long, or a stop.
  CellOutcome exchange(const messages::Request& request, ExecutorObserver& observer);
  [[nodiscard]] const WorkerSeat& seat() const { return seat_; }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMaxLineBytes = std::size_t{64}
                                               << 20; ///< 1000 steps x 1000 runs fit
  static constexpr std::size_t kStderrTailBytes = 4096;

  [[nodiscard]] CellOutcome converse(ExecutorObserver& observer);
  /// Waits for anything to read or to write, at most kPollMilliseconds. False once the event pipe
  /// is closed.
  bool pump(ExecutorObserver& observer);
  void pump_errors(ExecutorObserver& observer);
  void say_rest_of_words(ExecutorObserver& observer);
  void hear(messages::Event&& event, ExecutorObserver& observer);
  /// Passes on events that the session itself does not use.
  template <typename Event>
  void hear_one(Event&& event, ExecutorObserver& observer) {
    observer.on_event(std::forward<Event>(event));
  }
  void hear_one(messages::Hello&& hello, ExecutorObserver& observer);
  void hear_one(StageEvent&& event, ExecutorObserver& observer);
  void hear_one(DeviceEvent&& event, ExecutorObserver& observer);
  void hear_one(LoadedEvent&& event, ExecutorObserver& observer);
  void hear_one(SampleEvent&& event, ExecutorObserver& observer);
  void hear_one(ReadyEvent&& event, ExecutorObserver& observer);
  void hear_one(messages::OutcomeEvent&& event, ExecutorObserver& observer);
  /// Throws Error if a cell has ended well but measured nothing.
  void require_result() const;
  [[nodiscard]] bool is_asked_to_stop_too() const;
  [[nodiscard]] CellOutcome as_meant(CellOutcome outcome) const;
  /// The device under the user's number, because the worker counts only the GPUs that it sees.
  /// Facts that the worker cannot read come from NVML.
  [[nodiscard]] DeviceInfo as_asked(DeviceInfo device);
  [[nodiscard]] CellResult as_asked(CellResult result);
  [[nodiscard]] const std::vector<GpuFacts>& gpus();
  [[nodiscard]] CellOutcome with_last_words(CellOutcome outcome, ExecutorObserver& observer);
  [[nodiscard]] CellOutcome failure(Status status, std::string message);
  [[nodiscard]] CellOutcome interruption();
  [[nodiscard]] CellOutcome explain_end(ExecutorObserver& observer);

  const WorkerOptions& options_;
  WorkerSeat seat_;
  std::int64_t oom_kills_before_ = 0; ///< when the present request began
  ChildProcess child_;
  LineBuffer lines_{kMaxLineBytes};
  TailBuffer stderr_tail_{kStderrTailBytes};
  std::optional<std::vector<GpuFacts>> gpus_; ///< from NVML, once they are needed
  std::string words_;                         ///< the unfinished last line of stderr
  bool had_said_hello_ = false;
  bool errors_open_ = true;
  // of the present request
  std::string unsent_;
  CellStage stage_ = CellStage::kStart;
  const Cell* cell_ = nullptr;    ///< null if the request does not run a cell
  std::optional<int> gpu_number_; ///< of the request's device, if it is one of several
  std::optional<DeviceInfo> device_;
  bool left_gpu_ = false; ///< runs on the CPU, because CUDA cannot use the GPUs here
  std::optional<CellResult> so_far_;
  std::optional<CellOutcome> outcome_;
  Clock::time_point last_sign_;
};

} // namespace sdbench

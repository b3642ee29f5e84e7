#include "worker_session.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <locale>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/device_meeting.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/device_beside_nvml.h"
#include "sdbench/front/bench/worker_death.h"
#include "sdbench/front/bench/worker_seat.h"
#include "sdbench/front/telemetry/nvml_with_timeouts.h"

namespace sdbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 100; ///< how soon the stop flag is seen
constexpr double kGraceSeconds = 5;    ///< from SIGTERM to SIGKILL
constexpr double kSignalSkewSeconds = 0.5;
constexpr double kDeathWaitSeconds = 3; ///< the process ends soon after its pipe closes

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A different device of the cell's shared batch that has ended; else empty.
std::string ended_partner(const Cell& cell) {
  for (std::size_t other = 0; !cell.meeting.empty() && other < cell.parallel_devices.size();
       ++other) {
    const auto number = static_cast<std::int64_t>(other);
    if (number != device_number(cell) && has_ended(cell.meeting, number)) {
      return cell.parallel_devices[other];
    }
  }
  return {};
}

/// Index of the GPU that its worker sees as GPU 0.
std::optional<int> gpu_number_of(const std::string& device) {
  const std::optional<DeviceName> name = parse_device_name(device);
  return name && has_seat(name->kind, DeviceSeat::kVisibleGpu) && name->number
             ? std::optional(static_cast<int>(*name->number))
             : std::nullopt;
}

/// "600", "0.5"
std::string text_of(double number) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << number;
  return text.str();
}

/// write() that returns EPIPE without raising SIGPIPE.
ssize_t write_without_signal(int descriptor, std::string_view bytes) {
  sigset_t pipe_signal;
  sigset_t before;
  ::sigemptyset(&pipe_signal);
  ::sigaddset(&pipe_signal, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  const int reason = errno;
  if (written < 0 && reason == EPIPE && ::sigismember(&before, SIGPIPE) == 0) {
    const timespec at_once{};
    ::sigtimedwait(&pipe_signal, nullptr, &at_once);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  return written;
}

/// Reads the available bytes. False at the end of the stream.
template <typename Sink>
bool drain(int descriptor, const Sink& sink) {
  char bytes[1 << 16];
  const ssize_t count = ::read(descriptor, bytes, sizeof bytes);
  if (count > 0) {
    sink(std::string_view(bytes, static_cast<std::size_t>(count)));
  }
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

} // namespace

WorkerSession::WorkerSession(const WorkerOptions& options, WorkerSeat seat)
    : options_(options), seat_(std::move(seat)), child_(options.program, seat_) {}

CellOutcome WorkerSession::exchange(const messages::Request& request, ExecutorObserver& observer) {
  oom_kills_before_ = oom_kill_count();
  gpu_number_.reset();
  const auto* const run = std::get_if<messages::RunRequest>(&request);
  cell_ = run != nullptr ? &run->cell : nullptr;
  if (cell_ != nullptr) {
    gpu_number_ = gpu_number_of(cell_->device);
  } else if (const auto* const probe = std::get_if<messages::ProbeRequest>(&request)) {
    gpu_number_ = gpu_number_of(probe->place.device);
  }
  unsent_ = messages::encode(request) + "\n";
  stage_ = CellStage::kStart;
  device_.reset();
  left_gpu_ = false;
  so_far_.reset();
  outcome_.reset();
  last_sign_ = Clock::now();
  try {
    observer.on_event(WorkerEvent{child_.process()});
    return converse(observer);
  } catch (const Error& error) {
    return failure(options_.status_of_failure(), error.what());
  }
}

CellOutcome WorkerSession::converse(ExecutorObserver& observer) {
  std::optional<Clock::time_point> stopped_at;
  for (bool open = true;;) {
    if (open) {
      open = pump(observer);
    }
    while (const std::optional<std::string> line = lines_.next()) {
      last_sign_ = Clock::now();
      hear(messages::decode_event(*line), observer);
      if (outcome_) {
        require_result();
        return with_last_words(as_meant(*std::move(outcome_)), observer);
      }
    }
    if (options_.is_stopped() && !stopped_at) {
      stopped_at = Clock::now();
      child_.send_signal(SIGTERM);
    }
    if (stopped_at && (!open || seconds_since(*stopped_at) > kGraceSeconds)) {
      return interruption();
    }
    if (!open) {
      return explain_end(observer);
    }
    if (const double silence = seconds_since(last_sign_); silence > options_.timeout_s) {
      return failure(Status::kTimeout,
                     "the worker must give a sign of life every " + text_of(options_.timeout_s) +
                         " s, but was silent during stage " + std::string(name_of(stage_)) +
                         "; raise --timeout if this machine is only slow");
    }
  }
}

bool WorkerSession::pump(ExecutorObserver& observer) {
  pollfd waits[] = {{child_.events(), POLLIN, 0},
                    {errors_open_ ? child_.errors() : -1, POLLIN, 0},
                    {unsent_.empty() ? -1 : child_.requests(), POLLOUT, 0}};
  if (::poll(waits, std::size(waits), kPollMilliseconds) <= 0) {
    return true; // time to look at the clock and the stop flag
  }
  if (waits[1].revents != 0) {
    pump_errors(observer);
  }
  if (waits[2].revents != 0) {
    const ssize_t written = write_without_signal(child_.requests(), unsent_);
    if (written > 0) {
      unsent_.erase(0, static_cast<std::size_t>(written));
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
      unsent_.clear(); // the worker closed its input; the event pipe tells how it ended
    }
  }
  return waits[0].revents == 0 ||
         drain(child_.events(), [this](std::string_view bytes) { lines_.append(bytes); });
}

void WorkerSession::pump_errors(ExecutorObserver& observer) {
  errors_open_ = drain(child_.errors(), [&](std::string_view bytes) {
    stderr_tail_.append(bytes);
    words_.append(bytes);
    for (auto end = words_.find('\n'); end != std::string::npos; end = words_.find('\n')) {
      observer.on_event(WorkerWordsEvent{one_line(words_.substr(0, end))});
      words_.erase(0, end + 1);
    }
    if (words_.size() > kStderrTailBytes) {
      say_rest_of_words(observer);
    }
  });
}

/// Passes on the last words, which have no line end.
void WorkerSession::say_rest_of_words(ExecutorObserver& observer) {
  if (!words_.empty()) {
    observer.on_event(WorkerWordsEvent{one_line(words_)});
    words_.clear();
  }
}

void WorkerSession::hear(messages::Event&& event, ExecutorObserver& observer) {
  if (!had_said_hello_ && !std::holds_alternative<messages::Hello>(event)) {
    throw Error("the worker's first line must be hello, but is another message");
  }
  std::visit([&](auto&& one) { hear_one(std::move(one), observer); }, std::move(event));
}

void WorkerSession::hear_one(messages::OutcomeEvent&& event, ExecutorObserver& /*observer*/) {
  outcome_ = std::move(event.outcome);
  outcome_->device = device_;
  if (outcome_->result) {
    outcome_->result = as_asked(*std::move(outcome_->result));
  }
}

void WorkerSession::hear_one(StageEvent&& event, ExecutorObserver& observer) {
  stage_ = event.stage;
  observer.on_event(event);
}

void WorkerSession::hear_one(LoadedEvent&& event, ExecutorObserver& observer) {
  event.so_far = as_asked(std::move(event.so_far));
  so_far_ = event.so_far;
  observer.on_event(std::move(event));
}

/// Does not read from the worker while the observer waits, because the worker reports nothing then.
void WorkerSession::hear_one(ReadyEvent&& event, ExecutorObserver& observer) {
  observer.on_event(event);
  if (!options_.is_stopped()) {
    unsent_ += messages::encode(messages::Request(messages::GoRequest{})) + "\n";
  }
  last_sign_ = Clock::now();
}

void WorkerSession::hear_one(DeviceEvent&& event, ExecutorObserver& observer) {
  device_ = as_asked(std::move(event.device));
  observer.on_event(DeviceEvent{*device_});
  if (device_->cuda_obstacle.empty()) {
    return;
  }
  const std::string note = left_gpu_note(*device_, gpus(), std::getenv("CUDA_VISIBLE_DEVICES"));
  if (!note.empty()) {
    left_gpu_ = true;
    observer.on_event(NoteEvent{note});
  }
}

DeviceInfo WorkerSession::as_asked(DeviceInfo device) {
  if (has_seat(device.kind, DeviceSeat::kVisibleGpu) && gpu_number_) {
    device.index = *gpu_number_;
  }
  if (has_sensors(device.kind, DeviceSensors::kNvml) && device.driver_version.empty()) {
    device.driver_version = driver_version_of(device, gpus());
  }
  return device;
}

CellResult WorkerSession::as_asked(CellResult result) {
  result.device = as_asked(std::move(result.device));
  if (left_gpu_) {
    result.flags.emplace_back(kLeftGpuFlag);
  }
  return result;
}

const std::vector<GpuFacts>& WorkerSession::gpus() {
  if (!gpus_) {
    gpus_ = nvml_gpus();
  }
  return *gpus_;
}

void WorkerSession::require_result() const {
  if (cell_ != nullptr && outcome_->status == Status::kOk && !outcome_->result) {
    throw Error("the worker must give a result with the status ok, but gave none");
  }
}

/// Checked after the worker's end: a signal to all processes reaches it and this process at nearly
/// the same time.
bool WorkerSession::is_asked_to_stop_too() const {
  for (const auto start = Clock::now(); options_.stop != nullptr && !options_.is_stopped() &&
                                        seconds_since(start) < kSignalSkewSeconds;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return options_.is_stopped();
}

/// If a different program ended the worker (such as a guard of the machine's memory), only the cell
/// ends, not the run. A failure during a stop may be a result of it, because a partner or a
/// compiler got the signal first.
CellOutcome WorkerSession::as_meant(CellOutcome outcome) const {
  if ((outcome.status == Status::kError || outcome.status == Status::kCrash) &&
      options_.is_stopped()) {
    outcome.status = Status::kInterrupted;
  }
  if (outcome.status == Status::kInterrupted && !is_asked_to_stop_too()) {
    outcome.status = Status::kCrash;
    outcome.message =
        "the worker must run to its end, but another program ended it (SIGTERM) during stage " +
        std::string(name_of(outcome.stage)) +
        "; a program that guards the machine's memory may have done this";
  }
  return outcome;
}

void WorkerSession::hear_one(messages::Hello&& hello, ExecutorObserver& /*observer*/) {
  if (hello.version != messages::kVersion) {
    throw Error("the worker must speak protocol version " + std::to_string(messages::kVersion) +
                ", but " + options_.program.path.string() + " speaks version " +
                std::to_string(hello.version) + "; build both programs from the same sources");
  }
  had_said_hello_ = true;
}

void WorkerSession::hear_one(SampleEvent&& event, ExecutorObserver& observer) {
  observer.on_event(event);
  if (!so_far_) {
    return;
  }
  if (event.first_image) {
    so_far_->first_image = std::move(event.sample);
  } else {
    so_far_->samples.push_back(std::move(event.sample));
  }
}

CellOutcome WorkerSession::with_last_words(CellOutcome outcome, ExecutorObserver& observer) {
  pump_errors(observer);
  say_rest_of_words(observer);
  if (outcome.status != Status::kOk) {
    outcome.stderr_tail = stderr_tail_.text();
  }
  stderr_tail_ = TailBuffer(kStderrTailBytes); // the next cell starts with an empty tail
  return outcome;
}

CellOutcome WorkerSession::failure(Status status, std::string message) {
  return {status, stage_, std::move(message), std::move(so_far_), stderr_tail_.text(), device_};
}

CellOutcome WorkerSession::interruption() {
  return failure(Status::kInterrupted, "interrupted during stage " + std::string(name_of(stage_)));
}

CellOutcome WorkerSession::explain_end(ExecutorObserver& observer) {
  const std::optional<int> wait_status = child_.wait(kDeathWaitSeconds);
  pump_errors(observer);
  say_rest_of_words(observer);
  if (is_asked_to_stop_too()) {
    return interruption(); // the worker was stopped before us, maybe before it listened for the
                           // signal
  }
  if (!wait_status) {
    return failure(Status::kError, "the worker must answer, but closed its pipe and still runs");
  }
  WorkerDeath death;
  death.wait_status = *wait_status;
  death.had_said_hello = had_said_hello_;
  death.kernel_ran_out_of_memory = oom_kill_count() > oom_kills_before_;
  death.stage = stage_;
  death.stderr_tail = stderr_tail_.text();
  if (cell_ != nullptr) {
    death.task = cell_->task;
    death.ended_partner = ended_partner(*cell_);
  }
  const DeathVerdict verdict = explain_death(death);
  return failure(verdict.status, verdict.message);
}

} // namespace sdbench

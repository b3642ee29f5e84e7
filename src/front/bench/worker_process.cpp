#include "sdbench/front/bench/worker_process.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/bench/openmp_environment.h"
#include "worker_session.h"

namespace sdbench {
namespace {

/// The user's settings take precedence, but may be meant for other programs.
void say_choices_of_user(ExecutorObserver& observer) {
  if (const std::string choices = openmp_choices_of_user(); !choices.empty()) {
    observer.on_event(NoteEvent{
        choices +
        " is set: it decides how OpenMP's threads are bound and wait; without it sdbench decides"});
  }
  if (omp_num_threads()) {
    const std::int64_t threads = default_threads(static_cast<std::int64_t>(usable_cores().size()));
    observer.on_event(NoteEvent{"OMP_NUM_THREADS is set: a cell on the CPU has " +
                                counted(threads, "thread") + " unless --threads says otherwise"});
  }
}

/// Such threads take turns on a core and wait for each other.
void say_threads_without_cores(const Cell& cell, const WorkerSeat& seat,
                               ExecutorObserver& observer) {
  const auto cores =
      seat.cores.empty() ? usable_core_count() : static_cast<std::int64_t>(seat.cores.size());
  if (cell.threads > cores) {
    observer.on_event(NoteEvent{"--threads " + std::to_string(cell.threads) + " is more than the " +
                                counted(cores, "core") +
                                " that this cell may use: threads take turns"});
  }
}

WorkerSeat seat_here(const Cell& cell) {
  return seat_of(cell, std::getenv("CUDA_VISIBLE_DEVICES"),
                 cell.cpu_share ? usable_cores() : std::vector<int>());
}

Cell seated_cell(const Cell& cell, const WorkerSeat& seat, double timeout_s) {
  Cell seated = cell;
  constexpr double kForEver = 1e6; // s; does not overflow clocks that count in nanoseconds
  seated.patience_s = std::min(timeout_s / 2, kForEver);
  seated.device_in_worker = device_in_seat(cell.device);
  if (cell.threads ==
      0) { // a worker cannot count them: OMP_PROC_BIND binds its main thread to one core
    seated.threads = default_threads(
        seat.cores.empty() ? usable_core_count() : static_cast<std::int64_t>(seat.cores.size()));
  }
  return seated;
}

} // namespace

WorkerExecutor::WorkerExecutor(WorkerOptions options) : options_(std::move(options)) {}

WorkerExecutor::~WorkerExecutor() = default;

CellOutcome WorkerExecutor::run(const Cell& cell, ExecutorObserver& observer) {
  const WorkerSeat seat = seat_here(cell);
  if (std::exchange(threads_before_, cell.threads) != cell.threads) {
    say_threads_without_cores(cell, seat, observer);
  }
  return exchange(messages::RunRequest{seated_cell(cell, seat, options_.timeout_s)}, seat,
                  observer);
}

std::optional<double> WorkerExecutor::estimate(const Cell& cell) {
  const WorkerSeat seat = seat_here(cell);
  ExecutorObserver nobody;
  const CellOutcome outcome = exchange(
      messages::EstimateRequest{seated_cell(cell, seat, options_.timeout_s)}, seat, nobody);
  return outcome.result ? outcome.result->expected_s : std::nullopt;
}

CellOutcome WorkerExecutor::probe(const ProbePlace& place, ExecutorObserver& observer) {
  Cell cell;
  cell.device = place.device;
  cell.cpu_share = place.cpu_share;
  cell.threads = place.threads;
  const WorkerSeat seat = seat_here(cell);
  const Cell seated = seated_cell(cell, seat, options_.timeout_s);
  return exchange(messages::ProbeRequest{{seated.device, seated.device_in_worker, seated.cpu_share,
                                          seated.threads, place.figures}},
                  seat, observer);
}

std::vector<DeviceInfo> WorkerExecutor::devices() {
  struct Listener final : ExecutorObserver {
    std::vector<DeviceInfo> heard;
    void on_event(const CellEvent& event) override {
      if (const auto* const one = std::get_if<DeviceEvent>(&event)) {
        heard.push_back(one->device);
      }
    }
  } listener;
  const CellOutcome outcome = exchange(messages::DevicesRequest{}, {}, listener);
  if (outcome.status != Status::kOk) {
    throw Error("the worker must say which devices are there, but did not: " + outcome.message);
  }
  return std::move(listener.heard);
}

void WorkerExecutor::restart() {
  session_.reset();
}

CellOutcome WorkerExecutor::export_weights(const messages::ExportRequest& request,
                                           ExecutorObserver& observer) {
  return exchange(request, {}, observer);
}

CellOutcome WorkerExecutor::exchange(const messages::Request& request, const WorkerSeat& seat,
                                     ExecutorObserver& observer) {
  if (options_.is_stopped()) {
    return {Status::kInterrupted, CellStage::kStart, "interrupted before the cell began",
            std::nullopt, ""};
  }
  CellOutcome outcome;
  try {
    if (session_ && session_->seat() != seat) {
      session_.reset(); // the old worker's memory is free before the new one takes some
    }
    if (!session_) {
      observer.on_event(StageEvent{CellStage::kStart});
      session_ = std::make_unique<WorkerSession>(options_, seat);
      say_choices_of_user(observer);
    }
    outcome = session_->exchange(request, observer);
  } catch (const Error& error) {
    outcome = {options_.status_of_failure(), CellStage::kStart, error.what(), std::nullopt, ""};
  } catch (...) { // an observer threw, so the protocol's state is unknown
    session_.reset();
    throw;
  }
  if (outcome.status != Status::kOk) {
    session_.reset();
  }
  return outcome;
}

} // namespace sdbench

#include "sdbench/base/executor/cell_timing.h"

#include <string>
#include <utility>

#include "sdbench/base/types/status.h"

namespace sdbench {
namespace {

/// Thrown out of a run to end it.
struct Cut {
  StopReason reason;
};

} // namespace

CellTiming::CellTiming(const Cell& cell, ExecutorObserver& observer, const std::atomic<bool>* stop,
                       Now now)
    : cell_(cell), observer_(observer), stop_(stop),
      now_(std::move(now)), rule_{cell.repeat, cell.max_noise, cell.max_time_s, cell.warmup},
      start_s_(now_()), load_start_s_(start_s_) {}

TimedWork::StepListener CellTiming::listener(std::int64_t run, std::int64_t steps) {
  step_s_.clear();
  return [this, run, steps](std::int64_t step, double seconds) {
    step_s_.push_back(seconds);
    observer_.on_event(StepEvent{run, step, steps, seconds});
    if (stop_ != nullptr && stop_->load()) {
      throw Cut{StopReason::kInterrupted};
    }
    // Lets a run finish after its last step: a complete run is worth more than the seconds saved.
    if (step + 1 < steps && time_is_over(rule_, elapsed_s())) {
      throw Cut{StopReason::kMaxTime};
    }
  };
}

template <typename Make>
bool CellTiming::complete(const Make& make, CellStage stage, CellResult& result) {
  try {
    if (stop_ != nullptr && stop_->load()) {
      step_s_.clear();
      throw Cut{StopReason::kInterrupted};
    }
    make();
    return true;
  } catch (const Cut& cut) {
    if (!step_s_.empty() && stage != CellStage::kWarmup) {
      result.partial_run = PartialRun{std::string(name_of(stage)), step_s_};
    }
    if (cut.reason == StopReason::kInterrupted) {
      result.stop_reason = name_of(cut.reason);
      throw CellFailure(Status::kInterrupted,
                        "interrupted during stage " + std::string(name_of(stage)));
    }
    return false;
  }
}

void CellTiming::run_first(TimedWork& work, CellResult& result) {
  const std::int64_t steps = work.steps_of_batch() * batches_of(cell_);
  const auto make = [&] { result.first_image = work.run_all(listener(0, steps)); };
  if (complete(make, CellStage::kFirstImage, result)) {
    observer_.on_event(SampleEvent{true, result.first_image});
  }
}

void CellTiming::warm_up(TimedWork& work, CellResult& result) {
  std::vector<double> batch_s{result.first_image.e2e_s / static_cast<double>(batches_of(cell_))};
  for (;;) {
    if (const auto reason = enough_warmups(rule_, batch_s, elapsed_s())) {
      result.warmup_reason = name_of(*reason);
      return;
    }
    const auto make = [&] {
      const auto steps = listener(result.warmup, work.steps_of_batch());
      batch_s.push_back(work.run_first_batch(steps).e2e_s);
      ++result.warmup;
    };
    complete(make, CellStage::kWarmup,
             result); // if time is over, the loop's rule ends it
  }
}

/// Waiting for other devices is not part of the measurement.
void CellTiming::wait_for_others(std::int64_t run, bool another_follows) {
  const bool may_wait = !cell_.parallel_devices.empty();
  if (may_wait) {
    observer_.on_event(StageEvent{CellStage::kWait});
  }
  observer_.on_event(ReadyEvent{run});
  if (may_wait && another_follows) {
    observer_.on_event(StageEvent{CellStage::kMeasure});
  }
}

void CellTiming::measure(TimedWork& work, CellResult& result,
                         const std::function<void()>& after_run) {
  const std::int64_t steps = work.steps_of_batch() * batches_of(cell_);
  std::vector<double> e2e_s;
  for (;;) {
    // A run that --max-time cut short is the last, even if it is the first.
    const auto reason = result.partial_run ? std::optional(StopReason::kMaxTime)
                                           : enough_runs(rule_, e2e_s, elapsed_s());
    const auto run = static_cast<std::int64_t>(e2e_s.size());
    if (run > 0) { // the caller has reported the first run ready
      // Also waits after the last run, so that this worker does nothing else during the others'
      // last run.
      wait_for_others(run, !reason);
    }
    if (reason) {
      result.stop_reason = name_of(*reason);
      return;
    }
    const auto make = [&] { result.samples.push_back(work.run_all(listener(run, steps))); };
    if (complete(make, CellStage::kMeasure, result)) {
      e2e_s.push_back(result.samples.back().e2e_s);
      observer_.on_event(SampleEvent{false, result.samples.back()});
      if (after_run) {
        after_run();
      }
    }
  }
}

} // namespace sdbench

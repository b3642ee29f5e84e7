#pragma once

#include <cstdint>

#include "sdbench/base/executor/cell_timing.h"
#include "sdbench/base/executor/executor.h"

namespace sdbench::test {

/// Work that makes no image: steps that train a network, by a clock of its own. sdbench has none;
/// what it measures images with must be able to measure this.
class TrainingWork final : public TimedWork {
public:
  double now_s = 0;

  [[nodiscard]] std::int64_t steps_of_batch() const override { return 2; }
  RunSample run_all(const StepListener& listener) override { return run_first_batch(listener); }
  RunSample run_first_batch(const StepListener& listener) override {
    RunSample sample;
    const double start_s = now_s;
    for (std::int64_t step = 0; step < steps_of_batch(); ++step) {
      const double step_start_s = now_s;
      spend(sample, "input", 0.25);
      spend(sample, "forward", 1);
      spend(sample, "backward", 2);
      spend(sample, "optimizer", 0.5);
      sample.step_s.push_back(now_s - step_start_s);
      listener(step, sample.step_s.back());
    }
    sample.e2e_s = now_s - start_s;
    return sample;
  }

private:
  void spend(RunSample& sample, const char* part, double seconds) {
    now_s += seconds;
    add_seconds(sample, part, seconds);
  }
};

[[nodiscard]] inline Cell training_cell() {
  Cell cell;
  cell.model.name = "a network";
  cell.width = cell.height = 0; // no image has pixels
  cell.warmup = 1;
  cell.repeat = 2;
  return cell;
}

/// What an executor of such work answers.
[[nodiscard]] inline CellOutcome train(const Cell& cell, ExecutorObserver& observer) {
  CellOutcome outcome;
  CellResult& result = outcome.result.emplace();
  TrainingWork work;
  CellTiming timing(cell, observer, nullptr, [&] { return work.now_s; });
  work.now_s += 8;
  timing.loaded(result);
  timing.run_first(work, result);
  timing.warm_up(work, result);
  timing.measure(work, result);
  outcome.status = Status::kOk;
  return outcome;
}

} // namespace sdbench::test

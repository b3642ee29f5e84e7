#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "image_sample.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/own_engines.h"

namespace sdbench::test {

/// A good outcome with round numbers: two steps a run, as many runs as the cell asks for.
[[nodiscard]] inline CellOutcome good_outcome(const Cell& cell) {
  CellOutcome outcome;
  outcome.status = Status::kOk;
  CellResult& result = outcome.result.emplace();
  result.device = {DeviceKind::kCuda,      "Fake GPU", "Hopper", "9.0", "580.95", 0,
                   std::int64_t{80} << 30, 0};
  result.runtime_version = "2.11.0";
  result.engine = kTunedEngine;
  result.engine_revision = engine_revision(kTunedEngine);
  result.dtype_unet = Dtype::kF16;
  result.dtype_vae = Dtype::kF16;
  result.dtype_text = Dtype::kF16;
  result.use.attention = "flash";
  result.weights_identity = "synthetic:0";
  result.unet_calls = cell.steps;
  result.load_s = 2;
  result.first_image = image_sample(0.5, 2, 0.5, 3, {1, 1});
  for (std::int64_t run = 0; run < cell.repeat; ++run) {
    result.samples.push_back(image_sample(0.25, 1, 0.5, 2, {0.5, 0.5}));
  }
  result.peak_device_allocated_bytes = std::int64_t{3} << 30;
  result.peak_host_bytes = std::int64_t{2} << 30;
  result.golden_check = "pass";
  result.golden_rel_err = 0.0005;
  result.output_check = "pass";
  return outcome;
}

/// Answers cells without computing: the outcome that a test chose, with the events of a real run.
class FakeExecutor : public Executor {
public:
  using Answer = std::function<CellOutcome(const Cell&)>;

  explicit FakeExecutor(Answer answer = good_outcome) : answer_(std::move(answer)) {
    probe_outcome.status = Status::kOk;
  }

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override {
    cells.push_back(cell);
    CellOutcome outcome = answer_(cell);
    observer.on_event(StageEvent{CellStage::kLoad});
    if (outcome.result) {
      observer.on_event(DeviceEvent{outcome.result->device});
      observer.on_event(LoadedEvent{*outcome.result});
      observer.on_event(StageEvent{CellStage::kFirstImage});
      observer.on_event(StepEvent{0, 0, 2, 1.0});
      observer.on_event(StepEvent{0, 1, 2, 1.0});
      observer.on_event(NoteEvent{"a note from the worker"});
      observer.on_event(ReadyEvent{0});
      observer.on_event(StageEvent{CellStage::kMeasure});
      observer.on_event(StepEvent{0, 0, 2, 0.5});
    }
    return outcome;
  }

  std::vector<DeviceInfo> devices() override { // two GPUs
    return std::vector<DeviceInfo>(2, good_outcome(Cell{}).result->device);
  }
  CellOutcome probe(const ProbePlace& place, ExecutorObserver& observer) override {
    const double product = product_tflops[probes.size() % product_tflops.size()];
    probes.push_back(place);
    CellOutcome outcome = probe_outcome;
    for (const std::string& name : place.figures) {
      observer.on_event(ProbeEvent{name, name == "copy" ? copy_gb_s : product});
    }
    return outcome;
  }
  void restart() override { ++restarts; }

  std::vector<Cell> cells; ///< what was asked
  std::vector<ProbePlace> probes;
  CellOutcome probe_outcome;
  std::vector<double> product_tflops = {100}; ///< one after the other, then from the first again
  double copy_gb_s = 2000;
  int restarts = 0;

private:
  Answer answer_;
};

} // namespace sdbench::test

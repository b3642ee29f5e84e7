#pragma once

#include <functional>

#include "sdbench/base/executor/executor.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Times one batch from prompt to pixels. Measures each stage and each step with marks of
/// DeviceClock, and the whole batch with the host's clock. Call the functions in this order: start,
/// text_begins, text_done, denoise_begins, (steps), denoised, decode_begins, decoded, finish.
///
/// With a CUDA graph, a step is a single launch, so the host could enqueue all steps in a few
/// milliseconds. The host could then neither report steps while the device computes them, nor end
/// the batch early. Therefore the host waits when kStepsAhead steps are enqueued. The listener ends
/// a batch by throwing.
class BatchTimer final : public PipelineObserver {
public:
  /// Largest number of steps that are enqueued but not done. The device computes them while the
  /// host prepares the next step.
  static constexpr std::int64_t kStepsAhead = 3;

  /// Called for each step once the device has finished it. `seconds`: the step's duration.
  using StepListener = std::function<void(std::int64_t step, double seconds)>;

  BatchTimer(DeviceClock& clock, StepListener listener)
      : clock_(clock), listener_(std::move(listener)) {}

  void start();
  void text_begins() { clock_.mark(); }
  void text_done() { clock_.mark(); }
  void denoise_begins() { clock_.mark(); }
  void on_step_done(std::int64_t step) override;
  void on_step_replayed(std::int64_t step, const std::shared_ptr<const DeviceMark>& mark) override;
  void on_denoised() override { clock_.mark(); }
  void decode_begins() { clock_.mark(); }
  /// Call it when all work from prompt to pixels is enqueued. Returns when the last step has been
  /// reported to the listener.
  void decoded();
  /// Call it when the pixels are on the host. Adds this batch's times to `sample`, whose parts are
  /// "text", "unet" and "vae".
  void finish(RunSample& sample);

private:
  void report_passed_steps();
  void report_steps_before(std::int64_t end);

  DeviceClock& clock_;
  StepListener listener_;
  double start_s_ = 0;
  std::int64_t steps_ = 0;    ///< number of steps that have a mark
  std::int64_t reported_ = 0; ///< number of steps reported to the listener
};

} // namespace sdbench

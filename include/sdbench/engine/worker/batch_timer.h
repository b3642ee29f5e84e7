#pragma once

#include <chrono>
#include <functional>

#include "sdbench/base/executor/executor.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Times one batch from prompt to pixels: marks on the device between the stages and after each
/// step, and the host's wall clock around all of it. Call in this order: start, text_begins,
/// text_done, denoise_begins, (steps), denoised, decode_begins, decoded, finish.
///
/// A step may be a single launch, so the host could enqueue a whole image in a few milliseconds. It
/// would then learn of no step before the last, and could not end the batch early. Therefore the
/// host waits when kStepsAhead steps are enqueued. The listener ends a batch by throwing.
class BatchTimer final : public PipelineObserver {
public:
  /// Most steps that are enqueued but not done. The device computes them while the host prepares
  /// the next one.
  static constexpr std::int64_t kStepsAhead = 3;

  /// Called for each step once the device has finished it. `seconds`: of that step.
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
  /// All work between prompt and pixels is enqueued. Returns when the last step has been reported.
  void decoded();
  /// The pixels are on the host. Adds this batch's times to `sample`, whose parts are "text",
  /// "unet" and "vae".
  void finish(RunSample& sample);

private:
  void report_passed_steps();
  void report_steps_before(std::int64_t end);

  DeviceClock& clock_;
  StepListener listener_;
  std::chrono::steady_clock::time_point start_;
  std::int64_t steps_ = 0;    ///< with a mark
  std::int64_t reported_ = 0; ///< reported to the listener
};

} // namespace sdbench

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
/// A step may be one launch, and a host that is not held back enqueues a whole image in a few
/// milliseconds: it would hear of no step before the last, and could end nothing. So it waits where
/// kStepsAhead steps would be before the device at once, and the listener ends a batch by throwing.
class BatchTimer final : public PipelineObserver {
public:
  /// So many steps are enqueued before the first of them is done, at most: what the host does
  /// between two steps is hidden behind the others.
  static constexpr std::int64_t kStepsAhead = 3;

  /// Hears of each step once the device has really finished it, seconds each.
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
  /// All that is between prompt and pixels is enqueued. Returns when the last step has been told.
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
  std::int64_t steps_ = 0;    ///< marked
  std::int64_t reported_ = 0; ///< told to the listener
};

} // namespace sdbench

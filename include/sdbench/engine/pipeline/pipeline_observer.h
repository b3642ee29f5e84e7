#pragma once

#include <cstdint>
#include <memory>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/pipeline/device_mark.h"

namespace sdbench {

/// Is called after each step of a run, and when all steps are complete. At that time, a CPU has
/// finished the step's work, whereas for a GPU the work has only been *enqueued*. A timing observer
/// records a device event at each call.
class PipelineObserver {
public:
  virtual ~PipelineObserver() = default;
  /// If true, the next run must call on_step_tensors: it enqueues its steps one by one, even if it
  /// could replay them as one graph. If false, the run may still call on_step_tensors.
  [[nodiscard]] virtual bool wants_step_tensors() const { return false; }
  /// Receives the UNet's output [B or 2B, C, h, w] and the latents after the step, for comparisons.
  /// With graphs, the next step overwrites `unet_output`.
  virtual void on_step_tensors(std::int64_t /*step*/, const at::Tensor& /*unet_output*/,
                               const at::Tensor& /*latents*/) {}
  virtual void on_step_done(std::int64_t /*step*/) {}
  /// Called instead of on_step_done if all steps are replayed as one graph. The calls come in the
  /// order of the steps, after the graph has been enqueued. `mark` is a part of the graph, at the
  /// end of the step.
  virtual void on_step_replayed(std::int64_t step,
                                const std::shared_ptr<const DeviceMark>& /*mark*/) {
    on_step_done(step);
  }
  virtual void on_denoised() {}
};

} // namespace sdbench

#pragma once

#include <cstdint>
#include <memory>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/pipeline/device_mark.h"

namespace sdbench {

/// Is called at the boundaries of stages and steps when they are *enqueued*; on a CPU they are then
/// finished. A timing observer records a device event at each call.
class PipelineObserver {
public:
  virtual ~PipelineObserver() = default;
  /// True if the next run must call on_step_tensors; otherwise it may. If true, steps are enqueued
  /// one by one, even if they could be replayed as one graph.
  [[nodiscard]] virtual bool wants_step_tensors() const { return false; }
  /// For comparisons: the UNet's output [B or 2B, 4, h, w], and the latents after the step. With
  /// graphs, the next step overwrites the output.
  virtual void on_step_tensors(std::int64_t /*step*/, const at::Tensor& /*unet_output*/,
                               const at::Tensor& /*latents*/) {}
  virtual void on_step_done(std::int64_t /*step*/) {}
  /// Called instead of on_step_done for steps that are replayed as one graph, in order, after the
  /// graph has been enqueued. `mark`, a part of the graph, is the end of the step.
  virtual void on_step_replayed(std::int64_t step,
                                const std::shared_ptr<const DeviceMark>& /*mark*/) {
    on_step_done(step);
  }
  virtual void on_denoised() {}
};

} // namespace sdbench

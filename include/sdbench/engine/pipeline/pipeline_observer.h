#pragma once

#include <cstdint>
#include <memory>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/pipeline/device_mark.h"

namespace sdbench {

/// Is told of stage and step boundaries when they are *enqueued*; on a CPU that is when they have
/// finished. A timing observer records a device event at each call.
class PipelineObserver {
public:
  virtual ~PipelineObserver() = default;
  /// True if the next run must call on_step_tensors; otherwise it may. If true, its steps are
  /// enqueued one by one even where they could be replayed as one graph.
  [[nodiscard]] virtual bool wants_step_tensors() const { return false; }
  /// For comparing numbers: the UNet's output [B or 2B, 4, h, w], which with graphs is the next
  /// step's too, and the latents after the step.
  virtual void on_step_tensors(std::int64_t /*step*/, const at::Tensor& /*unet_output*/,
                               const at::Tensor& /*latents*/) {}
  virtual void on_step_done(std::int64_t /*step*/) {}
  /// Instead of on_step_done for steps that are replayed as one graph, each after the other when
  /// that has been enqueued: `mark`, a part of it, is the step's end.
  virtual void on_step_replayed(std::int64_t step,
                                const std::shared_ptr<const DeviceMark>& /*mark*/) {
    on_step_done(step);
  }
  virtual void on_denoised() {}
};

} // namespace sdbench

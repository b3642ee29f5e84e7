#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/pipeline/noise_schedule.h"

namespace sdbench {

/// State that the steps of one run share, besides the latents. Each run begins with a new
/// SamplerRun.
struct SamplerRun {
  /// Noise for the steps to add: [noise_count(), B, C, h, w], unit normal, fp32. Undefined if
  /// noise_count() is 0.
  at::Tensor noise;
  /// Tensors that a step keeps for later steps, in an order that the sampler chooses; empty at
  /// first. To keep a step's `output`, a sampler must copy it, because the next step may overwrite
  /// it.
  std::vector<at::Tensor> history;
};

/// The steps from noise to latents for one noise schedule. A sampler is immutable: the caller
/// passes the number of the step and the state of the run. Each step has one UNet call. A sampler
/// with two calls per noise level (Heun) lists each call as a step of its schedule, and keeps the
/// first call's result in the history.
///
/// A step must launch the same kernels in each run, because a CUDA graph may record it. So it must
/// not branch on a tensor's values.
class DiffusionSampler {
public:
  virtual ~DiffusionSampler() = default;

  /// The sampler's name in kSamplers. Two samplers with equal names and schedules compute the same.
  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] const NoiseSchedule& schedule() const { return schedule_; }
  [[nodiscard]] std::int64_t step_count() const {
    return static_cast<std::int64_t>(schedule_.timesteps.size());
  }
  /// Number of times that a run's steps add noise.
  [[nodiscard]] virtual std::int64_t noise_count() const { return 0; }

  /// Turns unit normal noise into the first latents. Keeps shape and dtype.
  [[nodiscard]] virtual at::Tensor begin(const at::Tensor& noise) const = 0;
  /// Turns latents into the UNet's input in `step`. Keeps shape and dtype.
  [[nodiscard]] virtual at::Tensor model_input(const at::Tensor& latents,
                                               std::int64_t step) const = 0;
  /// Returns the latents after `step`, in the dtype of `output`. `output`: the UNet's output after
  /// guidance.
  [[nodiscard]] virtual at::Tensor step(const at::Tensor& output, const at::Tensor& latents,
                                        std::int64_t step, SamplerRun& run) const = 0;
  /// The coefficients with which a single kernel can compute step() and then the next step's
  /// model_input(). The caller sets `guided` and `guidance`. Empty if step() needs more than
  /// `output` and `latents`, or keeps a tensor in the history.
  [[nodiscard]] virtual std::optional<LinearStep> linear_step(std::int64_t /*step*/) const {
    return std::nullopt;
  }

protected:
  DiffusionSampler(std::string_view name, NoiseSchedule schedule)
      : name_(name), schedule_(std::move(schedule)) {}
  DiffusionSampler(const DiffusionSampler&) = default;
  DiffusionSampler& operator=(const DiffusionSampler&) = default;

private:
  std::string_view name_; ///< points to a string constant
  NoiseSchedule schedule_;
};

/// Makes the sampler of a run. `steps`: at least 1. `config` says which timestep spacing to use,
/// and whether to use Karras sigmas.
using SamplerMaker = std::shared_ptr<const DiffusionSampler> (*)(const SchedulerConfig& config,
                                                                 std::int64_t steps);
/// Returns the maker of the sampler that has this name in kSamplers. Throws Error for an unknown
/// name.
[[nodiscard]] SamplerMaker sampler_maker(std::string_view name);

} // namespace sdbench

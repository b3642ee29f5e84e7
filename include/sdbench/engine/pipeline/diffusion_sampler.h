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

/// State that the steps of one run share, besides the latents. Each run begins with a new one.
struct SamplerRun {
  /// [noise_count(), B, 4, h, w], unit normal, fp32; undefined if noise_count() is 0.
  at::Tensor noise;
  /// Tensors that earlier steps keep for later ones, in the sampler's own order; empty at first.
  /// The next step may overwrite a step's `output`, so a sampler must keep a copy of it.
  std::vector<at::Tensor> history;
};

/// The steps from noise to latents for one schedule. A value: it keeps no state of a run, and the
/// caller names the step. A step is one call of the UNet. A sampler with two calls for each noise
/// level (Heun) lists both calls in its schedule, and keeps the first in the history.
///
/// Steps make the same launches in each run, because a graph records them: they must not depend on
/// the value of a tensor.
class DiffusionSampler {
public:
  virtual ~DiffusionSampler() = default;

  /// Its name in kSamplers. Two samplers with equal names and schedules compute the same.
  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] const NoiseSchedule& schedule() const { return schedule_; }
  [[nodiscard]] std::int64_t step_count() const {
    return static_cast<std::int64_t>(schedule_.timesteps.size());
  }
  /// Number of times that a run's steps add noise.
  [[nodiscard]] virtual std::int64_t noise_count() const { return 0; }

  /// Unit normal noise -> the first latents. Shape and dtype kept.
  [[nodiscard]] virtual at::Tensor begin(const at::Tensor& noise) const = 0;
  /// Latents -> input of the UNet in `step`. Shape and dtype kept.
  [[nodiscard]] virtual at::Tensor model_input(const at::Tensor& latents,
                                               std::int64_t step) const = 0;
  /// Latents after `step`, in the dtype of `output`, the UNet's output after guidance.
  [[nodiscard]] virtual at::Tensor step(const at::Tensor& output, const at::Tensor& latents,
                                        std::int64_t step, SamplerRun& run) const = 0;
  /// The same step and the input of the next one as numbers for one kernel, without guidance. Empty
  /// if step() needs more than output and latents, or keeps something.
  [[nodiscard]] virtual std::optional<LinearStep> linear_step(std::int64_t /*step*/) const {
    return std::nullopt;
  }

protected:
  DiffusionSampler(std::string_view name, NoiseSchedule schedule)
      : name_(name), schedule_(std::move(schedule)) {}
  DiffusionSampler(const DiffusionSampler&) = default;
  DiffusionSampler& operator=(const DiffusionSampler&) = default;

private:
  std::string_view name_; ///< refers to a constant
  NoiseSchedule schedule_;
};

/// Makes the sampler of a run. `steps` is at least 1; spacing and Karras are taken from the config.
using SamplerMaker = std::shared_ptr<const DiffusionSampler> (*)(const SchedulerConfig& config,
                                                                 std::int64_t steps);
/// Makes the sampler of a row of kSamplers. Throws Error for an unknown name.
[[nodiscard]] SamplerMaker sampler_maker(std::string_view name);

} // namespace sdbench

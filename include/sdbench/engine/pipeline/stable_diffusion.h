#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/engine/pipeline/denoiser.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/stages.h"

namespace sdbench {

struct DenoiseOptions {
  std::int64_t steps = 50;
  double guidance = 7.5;
  TimestepSpacing timestep_spacing = TimestepSpacing::kLinspace;
  bool karras = false;
  SamplerMaker sampler = sampler_maker(kUsualSampler.name);
  /// Seed of the noise that steps add. Image i draws it from the generator of first_seed + i, after
  /// its initial noise.
  std::uint64_t first_seed = 0;
};

/// Prompt → image: encode → denoise → decode. Equal to diffusers' StableDiffusionPipeline and
/// StableDiffusionXLPipeline with the sampler's scheduler. All methods run in inference mode of the
/// calling thread.
class StableDiffusion {
public:
  /// Builds all parts from their weights. Throws Error with every key that is wrong.
  StableDiffusion(const ModelConfig& config, const WeightSourceFactory& weights,
                  const PipelineOptions& options, const DenoiserMaker& make = make_denoiser);
  ~StableDiffusion();
  StableDiffusion(StableDiffusion&&) noexcept;

  /// With Offload::kStages: puts this stage's weights on the device and releases those of the
  /// others. The stage's own method also does this; call this before it to time it separately.
  void bring(Stage stage) const;
  /// `negative`: nullopt → the model's default (encoded "" or, for SDXL, zeros). `guidance` decides
  /// whether the negative half exists, which a denoiser that is told the scale never has. width,
  /// height in pixels (SDXL's time_ids). `clip_skip`: last layers of the text encoders that are
  /// left out of the prompts' states, but not of the negative one's, as diffusers has it.
  [[nodiscard]] Conditioning encode(const std::vector<std::string>& prompts,
                                    const std::optional<std::string>& negative, double guidance,
                                    std::int64_t width, std::int64_t height,
                                    std::int64_t clip_skip = 0) const;
  /// Notes for the user about the prompts: see PromptEncoder::notes.
  [[nodiscard]] std::vector<std::string>
  prompt_notes(const std::vector<std::string>& prompts,
               const std::optional<std::string>& negative) const;
  /// Unit normal noise [prompts, C, H/8, W/8], fp32 on the CPU, image i from seed + i.
  [[nodiscard]] at::Tensor initial_noise(std::uint64_t first_seed, std::int64_t count,
                                         std::int64_t width, std::int64_t height) const;
  /// `noise`: unit normal, [B, C, h, w]; returns the final latents [B, C, h, w] in the denoiser's
  /// dtype, before division by the scaling factor.
  [[nodiscard]] at::Tensor denoise(const at::Tensor& noise, const Conditioning& conditioning,
                                   const DenoiseOptions& options, PipelineObserver& observer) const;
  /// Latents → pixels [B, 3, H, W], fp32 on the device. The visible range is [0, 1]. Values outside
  /// are kept for check_output(): a clamped infinity would look like white.
  [[nodiscard]] at::Tensor decode(const at::Tensor& latents) const;
  /// Pixels, clamped to [0, 1] → uint8 [B, H, W, 3] on the host (see to_host), rounded like
  /// diffusers.
  [[nodiscard]] static at::Tensor to_uint8(const at::Tensor& pixels);

  /// Why the latest run, cut short or not, did not use the graphs of options.graphs, in one line.
  /// Empty if it did, or will when it is repeated.
  [[nodiscard]] std::string graphs_obstacle() const;
  [[nodiscard]] const ModelConfig& config() const;
  /// Number of tiles into which decode() cuts an image of this size; 1 unless options.vae_tiling.
  [[nodiscard]] std::int64_t vae_tile_count(std::int64_t width, std::int64_t height) const;
  [[nodiscard]] std::int64_t unet_calls(const DenoiseOptions& options) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace sdbench

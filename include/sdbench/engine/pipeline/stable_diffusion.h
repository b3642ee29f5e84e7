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
#include "sdbench/engine/pipeline/pipeline_models.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"

namespace sdbench {

struct DenoiseOptions {
  std::int64_t steps = 50;
  double guidance = 7.5;
  TimestepSpacing timestep_spacing = TimestepSpacing::kLinspace;
  bool karras = false;
  SamplerMaker sampler = sampler_maker(kUsualSampler.name);
  /// Seed of the noise that the steps add. The generator of image i has the seed first_seed + i; it
  /// draws first the initial noise, then the noise for the steps.
  std::uint64_t first_seed = 0;
};

/// Turns prompts into images in three stages: encode, denoise, decode. Computes the same as
/// diffusers' StableDiffusionPipeline and StableDiffusionXLPipeline with the scheduler that
/// corresponds to the sampler. All methods run in c10::InferenceMode.
class StableDiffusion {
public:
  /// Builds all models from their weights. If a model's weights have wrong keys, throws an Error
  /// that lists all of these keys.
  StableDiffusion(const ModelConfig& config, const LayerSourceFactory& weights,
                  const PipelineOptions& options, const ModelMakers& makers = {});
  ~StableDiffusion();
  StableDiffusion(StableDiffusion&&) noexcept;

  /// With Offload::kStages: puts this stage's weights on the device and releases those of the other
  /// stages. encode(), denoise() and decode() do this themselves; call bring() before them to time
  /// the transfer separately.
  void bring(Stage stage) const;
  /// `negative`: the negative prompt; nullopt: the model's default, which is an encoded "" or, for
  /// SDXL, zeros. `guidance`: if above 1, the result has a negative half, unless the denoiser
  /// takes the scale as an input. `width`, `height`: in pixels, for SDXL's time_ids. `clip_skip`:
  /// how many of the text encoders' last layers are skipped. As in diffusers, these layers are
  /// skipped for the prompts but not for the negative prompt. With graphs, the next call may
  /// overwrite the result.
  [[nodiscard]] Conditioning encode(const std::vector<std::string>& prompts,
                                    const std::optional<std::string>& negative, double guidance,
                                    std::int64_t width, std::int64_t height,
                                    std::int64_t clip_skip = 0) const;
  /// Notes for the user about the prompts: see PromptEncoder::notes.
  [[nodiscard]] std::vector<std::string>
  prompt_notes(const std::vector<std::string>& prompts,
               const std::optional<std::string>& negative) const;
  /// Unit normal noise [count, C, height/8, width/8], fp32, on the CPU. Image i is drawn from a
  /// generator seeded with first_seed + i.
  [[nodiscard]] at::Tensor initial_noise(std::uint64_t first_seed, std::int64_t count,
                                         std::int64_t width, std::int64_t height) const;
  /// Returns `noise` as denoise() needs it: on the device, in the denoiser's dtype and memory
  /// format. denoise() does this itself; call bring_noise() before it to time the copy separately.
  [[nodiscard]] at::Tensor bring_noise(const at::Tensor& noise) const;
  /// `noise`: unit normal, [B, C, h, w]. Returns the final latents [B, C, h, w] in the denoiser's
  /// dtype, not yet divided by the VAE's scaling factor. The sampler and its timesteps are kept for
  /// later runs with the same steps, spacing and sampler.
  [[nodiscard]] at::Tensor denoise(const at::Tensor& noise, const Conditioning& conditioning,
                                   const DenoiseOptions& options, PipelineObserver& observer) const;
  /// Turns latents into pixels [B, 3, H, W], fp32, on the device. The visible range is [0, 1].
  /// Values outside this range are not clamped, because clamping would turn infinity into white,
  /// and check_output() must find infinity.
  [[nodiscard]] at::Tensor decode(const at::Tensor& latents) const;
  /// Clamps pixels to [0, 1] and turns them into uint8 [B, H, W, 3] on the host (see to_host).
  /// Rounds like diffusers.
  [[nodiscard]] static at::Tensor to_uint8(const at::Tensor& pixels);

  /// One line that says why the latest run, complete or cut short, left no CUDA graph. Empty if an
  /// equal run would replay a graph, or if options.graphs is kNone.
  [[nodiscard]] std::string graphs_obstacle() const;
  /// One line that says why what the latest run computed once for its prompts left no CUDA graph:
  /// the text encoders' work, or the denoiser's before its steps. Empty if an equal run would
  /// replay it, or if options.graphs is kNone.
  [[nodiscard]] std::string prompt_graphs_obstacle() const;
  /// One line that says why a CUDA graph of the latest run was not uploaded when it was recorded.
  /// Empty if every graph was uploaded, and if the run recorded no graph.
  [[nodiscard]] std::string upload_obstacle() const;
  [[nodiscard]] const ModelConfig& config() const;
  /// Number of tiles into which decode() cuts an image of this size; 1 without options.vae_tiling.
  [[nodiscard]] std::int64_t vae_tile_count(std::int64_t width, std::int64_t height) const;
  /// Number of UNet calls in denoise() with these options.
  [[nodiscard]] std::int64_t unet_calls(const DenoiseOptions& options) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace sdbench

#include "sdbench/engine/pipeline/stable_diffusion.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/InferenceMode.h>

#include "sdbench/base/config/decoding_size.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/models/autoencoder_kl.h"
#include "sdbench/engine/models/vae_parts.h"
#include "sdbench/engine/models/vae_tiles.h"
#include "sdbench/engine/nn/autocast_scope.h"
#include "sdbench/engine/nn/device_copy.h"
#include "sdbench/engine/pipeline/cuda_graph.h"
#include "sdbench/engine/pipeline/denoising_loop.h"
#include "sdbench/engine/pipeline/diffusion_sampler.h"
#include "sdbench/engine/pipeline/graphed_call.h"
#include "sdbench/engine/pipeline/graphed_loop.h"

namespace sdbench {
namespace {

std::shared_ptr<const DiffusionSampler> make_sampler(SchedulerConfig config,
                                                     const DenoiseOptions& options) {
  config.timestep_spacing = options.timestep_spacing;
  config.use_karras_sigmas = options.karras;
  return options.sampler(config, options.steps);
}

/// The sampler of runs with equal options, and its timesteps [steps] in fp32 on the device.
struct RunSchedule {
  using Key = std::tuple<std::int64_t, TimestepSpacing, bool, SamplerMaker>;
  static Key key_of(const DenoiseOptions& options) {
    return {options.steps, options.timestep_spacing, options.karras, options.sampler};
  }

  Key key;
  std::shared_ptr<const DiffusionSampler> sampler;
  at::Tensor timesteps;
};

template <class Value>
Value* pointer_to(std::optional<Value>& value) {
  return value ? &*value : nullptr;
}

/// Unit normal noise [draws, B, C, h, w], fp32 on the CPU, for `shape` [B, C, h, w]. Image i takes
/// its draws one after the other from the generator of first_seed + i.
at::Tensor drawn_noise(std::uint64_t first_seed, at::IntArrayRef shape, std::int64_t draws) {
  std::vector<std::int64_t> of_image = shape.vec();
  of_image.front() = 1;
  std::vector<at::Tensor> images;
  for (std::int64_t i = 0; i < shape.front(); ++i) {
    const at::Generator generator =
        at::detail::createCPUGenerator(first_seed + static_cast<std::uint64_t>(i));
    std::vector<at::Tensor> drawn;
    for (std::int64_t draw = 0; draw < draws; ++draw) {
      drawn.push_back(at::randn(of_image, generator, at::TensorOptions(at::kFloat)));
    }
    images.push_back(at::stack(drawn));
  }
  return at::cat(images, 1);
}

} // namespace

struct StableDiffusion::Impl {
  Impl(const ModelConfig& model_config, const LayerSourceFactory& weights,
       const PipelineOptions& pipeline_options, const ModelMakers& makers)
      : config(model_config), options(pipeline_options),
        tiles(options.vae_tiling ? std::optional(vae_tiles(config.vae)) : std::nullopt),
        prompt_encoder(config, options.dtype_text.weights, options.device,
                       options.own_kernels && options.device.is_cuda(), makers.tokenizer),
        models(config, weights, options, makers) {
    if (options.graphs == Graphs::kStep) {
      graphed.emplace(make_graph_maker(options.device, GraphKind::kSteps));
      graphed_preparation.emplace(make_graph_maker(options.device, GraphKind::kPreparation));
    } else if (options.graphs == Graphs::kLoop) {
      graphed_loop.emplace(make_graph_maker(options.device, GraphKind::kSteps));
    }
    if (options.graphs != Graphs::kNone) {
      graphed_texts.emplace(make_graph_maker(options.device, GraphKind::kText));
    }
  }

  [[nodiscard]] AutocastScope autocast(const StageDtype& dtype) const {
    return {options.device.type(), dtype.autocast};
  }

  /// Our kernels for the steps; null: ATen's.
  [[nodiscard]] std::shared_ptr<const GpuKernels> kernels() const {
    return options.own_kernels && options.device.is_cuda()
               ? gpu_kernels_for(options.device, options.dtype_unet.weights)
               : nullptr;
  }

  /// Made once for all images of a cell: a sampler has ten tensors of one number for each step,
  /// which would keep a GPU waiting in each image.
  const RunSchedule& schedule_for(const DenoiseOptions& run) {
    if (const auto key = RunSchedule::key_of(run); !schedule || schedule->key != key) {
      const auto sampler = make_sampler(config.scheduler, run);
      schedule.emplace(RunSchedule{
          key, sampler,
          to_device(at::tensor(sampler->schedule().timesteps, at::kFloat), options.device)});
    }
    return *schedule;
  }

  ModelConfig config;
  PipelineOptions options;
  std::optional<RunSchedule> schedule; ///< of the latest run
  std::optional<VaeTiles> tiles;       ///< empty: images are never cut
  PromptEncoder prompt_encoder;
  PipelineModels models;
  // Without graphs the host launches each kernel. The loop's graph contains the preparation.
  std::optional<GraphedTexts> graphed_texts;
  std::optional<GraphedPreparation> graphed_preparation;
  std::optional<GraphedCall> graphed; ///< for the denoiser's calls
  std::optional<GraphedLoop> graphed_loop;
};

StableDiffusion::StableDiffusion(const ModelConfig& config, const LayerSourceFactory& weights,
                                 const PipelineOptions& options, const ModelMakers& makers) {
  const c10::InferenceMode inference;
  impl_ = std::make_unique<Impl>(config, weights, options, makers);
}

StableDiffusion::~StableDiffusion() = default;
StableDiffusion::StableDiffusion(StableDiffusion&&) noexcept = default;

void StableDiffusion::bring(Stage stage) const {
  const c10::InferenceMode inference;
  impl_->models.bring(stage);
}

Conditioning StableDiffusion::encode(const std::vector<std::string>& prompts,
                                     const std::optional<std::string>& negative, double guidance,
                                     std::int64_t width, std::int64_t height,
                                     std::int64_t clip_skip) const {
  const c10::InferenceMode inference;
  const AutocastScope autocast = impl_->autocast(impl_->options.dtype_text);
  Conditioning result =
      impl_->prompt_encoder.encode(impl_->models.text(), prompts, negative, guidance, width, height,
                                   clip_skip, pointer_to(impl_->graphed_texts));
  result.context = result.context.to(impl_->options.dtype_unet.weights);
  return result;
}

std::vector<std::string>
StableDiffusion::prompt_notes(const std::vector<std::string>& prompts,
                              const std::optional<std::string>& negative) const {
  return impl_->prompt_encoder.notes(prompts, negative);
}

at::Tensor StableDiffusion::initial_noise(std::uint64_t first_seed, std::int64_t count,
                                          std::int64_t width, std::int64_t height) const {
  const c10::InferenceMode inference;
  const std::int64_t factor = impl_->config.vae.scale_factor();
  return drawn_noise(first_seed,
                     {count, impl_->config.vae.latent_channels, height / factor, width / factor},
                     1)[0];
}

at::Tensor StableDiffusion::bring_noise(const at::Tensor& noise) const {
  const c10::InferenceMode inference;
  const PipelineOptions& options = impl_->options;
  return to_device(noise.to(options.dtype_unet.weights), options.device)
      .contiguous(options.memory_format_unet);
}

at::Tensor StableDiffusion::denoise(const at::Tensor& noise, const Conditioning& conditioning,
                                    const DenoiseOptions& options,
                                    PipelineObserver& observer) const {
  const c10::InferenceMode inference;
  const AutocastScope autocast = impl_->autocast(impl_->options.dtype_unet);
  const RunSchedule schedule = impl_->schedule_for(options);
  const DenoisingLoop loop(impl_->models.denoiser(), schedule.sampler,
                           {.guidance = options.guidance,
                            .kv_cache = impl_->options.kv_cache,
                            .time_cache = impl_->options.time_cache,
                            .shared_prefix = impl_->options.shared_prefix,
                            .gpu_kernels = impl_->kernels()});
  DenoisingInputs inputs{
      conditioning, schedule.timesteps, schedule.sampler->begin(bring_noise(noise)), {}};
  if (const std::int64_t draws = schedule.sampler->noise_count(); draws > 0) {
    inputs.noise = to_device(
        drawn_noise(options.first_seed, noise.sizes(), 1 + draws).slice(0, 1).contiguous(),
        impl_->options.device);
  }
  at::Tensor latents =
      impl_->graphed_loop
          ? (*impl_->graphed_loop)(loop, inputs, observer)
          : loop(inputs, observer,
                 {pointer_to(impl_->graphed), pointer_to(impl_->graphed_preparation)});
  if (impl_->graphed_texts) { // not at the end of encode(), whose time is the text's
    impl_->graphed_texts->end_run();
  }
  return latents;
}

at::Tensor StableDiffusion::decode(const at::Tensor& latents) const {
  const c10::InferenceMode inference;
  const AutocastScope autocast = impl_->autocast(impl_->options.dtype_vae);
  const AutoencoderKl& vae = impl_->models.vae();
  const at::Tensor scaled =
      latents.to(impl_->options.dtype_vae.weights).contiguous(impl_->options.memory_format_vae) /
      impl_->config.vae.scaling_factor;
  const VaeConfig& config = impl_->config.vae;
  const auto decode = [&](const at::Tensor& batch) { // `batch`: of images, or of one tile of each
    const std::int64_t factor = config.scale_factor();
    const std::int64_t elements =
        decoded_elements(config, batch.size(3) * factor, batch.size(2) * factor);
    return decode_in_parts(
        batch, images_decoded_at_once(elements, batch.size(0), impl_->options.most_decoded),
        [&](const at::Tensor& part) { return vae.decode(part); });
  };
  const at::Tensor image =
      impl_->tiles ? decode_in_tiles(scaled, *impl_->tiles, decode) : decode(scaled);
  return (image * 0.5 + 0.5).to(at::kFloat);
}

at::Tensor StableDiffusion::to_uint8(const at::Tensor& pixels) {
  const c10::InferenceMode inference;
  // Halves are rounded to even, as numpy does for diffusers' PNGs.
  const at::Tensor bytes = (pixels.clamp(0, 1) * 255).round().to(at::kByte);
  return to_host(bytes.permute({0, 2, 3, 1}).contiguous());
}

std::string StableDiffusion::graphs_obstacle() const {
  return impl_->graphed        ? impl_->graphed->why_not_recorded()
         : impl_->graphed_loop ? impl_->graphed_loop->why_not_recorded()
                               : "";
}

std::string StableDiffusion::prompt_graphs_obstacle() const {
  const auto reason_of = [](const auto& graphed, const char* what) {
    const std::string why = graphed ? graphed->why_not_recorded() : "";
    return why.empty() ? "" : what + why;
  };
  const std::string texts = reason_of(impl_->graphed_texts, "no graph of the text encoders: ");
  return texts.empty() ? reason_of(impl_->graphed_preparation,
                                   "no graph of what is computed once for all steps: ")
                       : texts;
}

std::string StableDiffusion::upload_obstacle() const {
  std::string reason;
  const auto ask = [&](const auto& graphed) {
    if (graphed && reason.empty()) {
      reason = graphed->why_not_uploaded();
    }
  };
  ask(impl_->graphed);
  ask(impl_->graphed_loop);
  ask(impl_->graphed_preparation);
  ask(impl_->graphed_texts);
  return reason;
}

std::int64_t StableDiffusion::vae_tile_count(std::int64_t width, std::int64_t height) const {
  const std::int64_t factor = impl_->config.vae.scale_factor();
  return impl_->tiles ? impl_->tiles->count(height / factor, width / factor) : 1;
}

const ModelConfig& StableDiffusion::config() const {
  return impl_->config;
}

std::int64_t StableDiffusion::unet_calls(const DenoiseOptions& options) const {
  const c10::InferenceMode inference;
  return impl_->schedule_for(options).sampler->step_count();
}

} // namespace sdbench

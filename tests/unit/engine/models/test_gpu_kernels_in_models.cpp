// Whole models with the GPU kernels, which run on the host here (host_gpu.h).
#include "catch.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "host_gpu.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/models/autoencoder_kl.h"
#include "sdbench/engine/models/clip_text_model.h"
#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/nn/resnet_block.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/nn/weight_form.h"

using namespace sdbench;

namespace {

constexpr at::MemoryFormat kPixelByPixel = at::MemoryFormat::ChannelsLast;

FormedSource weights_of(const char* component, std::shared_ptr<const GpuKernels> kernels,
                        at::MemoryFormat format = kPixelByPixel) {
  WeightForm form;
  form.memory_format = format;
  form.gpu_kernels = std::move(kernels);
  return FormedSource(std::make_unique<SyntheticSource>(0, component, at::kFloat, at::kCPU), form);
}

double relative_difference(const at::Tensor& ours, const at::Tensor& wanted) {
  return ((ours - wanted).abs().max() / wanted.abs().max()).item<double>();
}

} // namespace

TEST_CASE("a ResNet block with the GPU kernels has no pass for a bias or a time shift") {
  const c10::InferenceMode inference;
  for (const auto format : {kPixelByPixel, at::MemoryFormat::Contiguous}) {
    for (const std::int64_t out : {64, 96}) {       // without and with a shortcut
      for (const std::int64_t shifts : {0, 1, 2}) { // none, one for all images, one for each
        CAPTURE(format, out, shifts);
        const std::optional<std::int64_t> width = shifts == 0 ? std::nullopt : std::optional(24);
        at::manual_seed(2);
        const at::Tensor x = at::randn({2, 64, 7, 6}).contiguous(format);
        const at::Tensor time = at::randn({shifts, 24});
        const auto run = [&](const std::shared_ptr<const GpuKernels>& kernels) {
          FormedSource source = weights_of("unet", kernels, format);
          const ResnetBlock block(Weights(source), {.in = 64, .out = out, .time_channels = width});
          return width ? block(x, block.time_shifts(time)) : block(x);
        };
        const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
        const at::Tensor ours =
            run(std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat));
        const at::Tensor wanted = run(nullptr);
        auto& launched = launcher->launched;
        if (format == kPixelByPixel) {
          CHECK(relative_difference(ours, wanted) < 1e-5);
          CHECK(launched["group_norm_factors"] == 2);
          CHECK(launched["add_bias"] == 1);
        } else {
          CHECK(at::equal(ours, wanted)); // the way of ATen alone
          CHECK(launched.empty());
        }
      }
    }
  }
}

TEST_CASE("a convolution with the GPU kernels adds its bias, if they can") {
  const c10::InferenceMode inference;
  for (const std::int64_t out : {16, 5}) { // 5 is no multiple of a pack: ATen adds it
    CAPTURE(out);
    at::manual_seed(3);
    const at::Tensor x = at::randn({2, 8, 7, 6}).contiguous(kPixelByPixel);
    const auto run = [&](const std::shared_ptr<const GpuKernels>& kernels) {
      FormedSource source = weights_of("unet", kernels);
      return Conv2d(Weights(source), {.in = 8, .out = out, .stride = 2})(x, Activation::kRelu);
    };
    const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
    const at::Tensor ours = run(std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat));
    CHECK(relative_difference(ours, run(nullptr)) < 1e-5);
    CHECK(launcher->launched["add_bias"] == (out == 16 ? 1 : 0));
  }
}

TEST_CASE("a UNet with the GPU kernels computes what it computes without") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    const UNetConfig config = unet_of(find_model_config(model));
    for (const std::int64_t texts : {1, 2}) { // two texts share what comes before them
      CAPTURE(model, texts);
      at::manual_seed(1);
      const at::Tensor sample = at::randn({1, config.in_channels, 16, 8}).contiguous(kPixelByPixel);
      const at::Tensor states = at::randn({texts, 77, config.cross_attention_dims[0]});
      std::optional<AddedConditioning> added;
      if (config.projection_class_embeddings_input_dim) {
        const std::int64_t sizes = 6 * config.addition_time_embed_dim.value();
        added =
            AddedConditioning{at::randn({1, *config.projection_class_embeddings_input_dim - sizes}),
                              at::full({1, 6}, 64.0)};
      }
      const auto run = [&](const std::shared_ptr<const GpuKernels>& kernels) {
        FormedSource source = weights_of("unet", kernels);
        const UNet2dCondition unet(Weights(source), config, Attention::kAuto);
        return unet(sample, unet.times(at::full({1}, 500.0), 1, added).front(),
                    unet.text(states, TextForm::kKeys));
      };
      const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
      const at::Tensor ours =
          run(std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat));
      CHECK(relative_difference(ours, run(nullptr)) < 1e-4); // the parity tests' bound
      // Each norm before a convolution and each transformer's; each block's feed-forward, and
      // its three layer norms.
      const auto& launched = launcher->launched;
      CHECK(launched.at("group_norm_factors") == launched.at("group_norm_apply"));
      CHECK(launched.at("group_norm_factors") > 2 * launched.at("geglu"));
      int layer_norms = 0;
      for (const auto& [kernel, times] : launched) {
        layer_norms += kernel.starts_with("layer_norm") ? times : 0;
      }
      CHECK(layer_norms == 3 * launched.at("geglu"));
      const auto levels = static_cast<int>(config.block_out_channels.size());
      CHECK(launched.at("upsample_twice") == levels - 1);
      // Each ResNet block, each sampler, and the first convolution.
      const auto& layers = config.layers_per_block;
      const auto resnets = 2 * std::accumulate(layers.begin(), layers.end(), std::int64_t{0});
      CHECK(launched.at("add_bias") >= resnets + levels + 2 * (levels - 1) + 1);
    }
  }
}

TEST_CASE("a VAE with the GPU kernels computes what it computes without, each norm by them") {
  const c10::InferenceMode inference;
  VaeConfig config = find_model_config("tiny-sd15").vae;
  config.mid_block_add_attention = GENERATE(true, false);
  const at::Tensor latents = at::randn({2, config.latent_channels, 6, 5}).contiguous(kPixelByPixel);
  const auto decoded = [&](const std::shared_ptr<const GpuKernels>& kernels) {
    FormedSource source = weights_of("vae", kernels);
    return AutoencoderKl(Weights(source), config).decode(latents);
  };
  const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
  const at::Tensor ours =
      decoded(std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat));
  CHECK(relative_difference(ours, decoded(nullptr)) < 1e-4);
  // Two in each ResNet block: two in the middle, layers + 1 a level; attention's, and the last one.
  const auto levels = static_cast<int>(config.block_out_channels.size());
  const auto resnets = 2 + levels * (static_cast<int>(config.layers_per_block) + 1);
  const int others = config.mid_block_add_attention ? 2 : 1;
  CHECK(launcher->launched.at("group_norm_apply") == 2 * resnets + others);
  CHECK(launcher->launched.at("upsample_twice") == levels - 1);
  // Each ResNet block and the convolutions of the latents. The last has three channels, and the
  // blocks add the bias of the upsampler before them.
  CHECK(launcher->launched.at("add_bias") == resnets + 2);
}

TEST_CASE("a text encoder with the GPU kernels computes what it computes without") {
  const c10::InferenceMode inference;
  for (const TextEncoderConfig& encoder : find_model_config("tiny-sdxl").text_encoders) {
    const ClipTextConfig& config = encoder.model;
    const bool is_quick = config.activation == ClipTextConfig::Activation::kQuickGelu;
    CAPTURE(is_quick);
    const at::Tensor ids = at::arange(0, 154, at::kLong).view({2, 77});
    const auto encoded = [&](const std::shared_ptr<const GpuKernels>& kernels) {
      FormedSource source = weights_of("text_encoder", kernels);
      return ClipTextModel(Weights(source), config)(ids, 0).last;
    };
    const auto launcher = std::make_shared<HostLauncher>(at::kFloat);
    const at::Tensor ours =
        encoded(std::make_shared<const GpuKernels>(launcher, at::kCPU, at::kFloat));
    CHECK(relative_difference(ours, encoded(nullptr)) < 1e-5);
    CHECK(launcher->launched["quick_gelu"] == (is_quick ? config.layer_count : 0));
  }
}

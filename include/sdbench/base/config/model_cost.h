#pragma once

#include <cstdint>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/network_config.h"

namespace sdbench {

/// Number of multiply-accumulates (MACs) of one forward pass; one MAC is 2 FLOP. Counts the
/// architecture's convolutions, linear layers and attention (QK^T and PV), but no norms,
/// activations and additions. See docs/measuring.md. latent_height, latent_width: in latent pixels.
/// token_count: tokens of each prompt. batch: number of images; for classifier-free guidance, the
/// caller must double the number.
[[nodiscard]] double denoiser_macs(const DenoiserConfig& config, std::int64_t latent_height,
                                   std::int64_t latent_width, std::int64_t token_count,
                                   std::int64_t batch);
[[nodiscard]] double vae_decode_macs(const VaeConfig& config, std::int64_t latent_height,
                                     std::int64_t latent_width, std::int64_t batch);
[[nodiscard]] double text_encoder_macs(const ClipTextConfig& config, std::int64_t token_count,
                                       std::int64_t batch);

/// MACs of an image classifier's forward pass over one image of its native size. A training step
/// nominally needs three times as many: the backward pass computes gradients of inputs and of
/// weights.
[[nodiscard]] double network_macs(const NetworkConfig& config);

/// Number of an image classifier's trained parameters, without batch norm's running mean and
/// variance.
[[nodiscard]] double network_parameters(const NetworkConfig& config);

/// Numbers of tensor elements that an image classifier's layers read and write for one image.
struct NetworkResults {
  double all = 0;     ///< total of a forward pass, counted as in denoiser_moved_elements()
  double largest = 0; ///< total of the one layer with the highest total
  double kept = 0;    ///< elements that the forward pass stores for the backward pass
};
[[nodiscard]] NetworkResults network_results(const NetworkConfig& config);

/// Lower bound for the number of tensor elements, without weights, that a forward pass of the
/// denoiser reads and writes in memory. The bound assumes that each convolution, linear layer and
/// attention reads its inputs once and writes its result once, that norms, activations and
/// additions are fused into these, and that attention scores never leave the kernel. Only kernels
/// that fuse more could read and write less.
[[nodiscard]] double denoiser_moved_elements(const DenoiserConfig& config,
                                             std::int64_t latent_height, std::int64_t latent_width,
                                             std::int64_t token_count, std::int64_t batch);

/// Number of parameters of a model, by stage of the pipeline.
struct ParameterCounts {
  double text = 0; ///< all text encoders
  double unet = 0; ///< the denoiser, even if it is not a UNet
  /// Only the VAE's decoder.
  double vae = 0;
};
[[nodiscard]] ParameterCounts parameter_counts(const ModelConfig& model);

} // namespace sdbench

#pragma once

#include <cstdint>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/network_config.h"

namespace sdbench {

/// Multiply-accumulates of one forward pass, counted from the architecture: convolutions, linear
/// layers and attention (QK^T and PV), without norms, activations and additions. One is 2 FLOP. See
/// docs/measuring.md. latent_height, latent_width in latent pixels; token_count for each prompt;
/// batch counts images (the caller doubles it for CFG).
[[nodiscard]] double denoiser_macs(const DenoiserConfig& config, std::int64_t latent_height,
                                   std::int64_t latent_width, std::int64_t token_count,
                                   std::int64_t batch);
[[nodiscard]] double vae_decode_macs(const VaeConfig& config, std::int64_t latent_height,
                                     std::int64_t latent_width, std::int64_t batch);
[[nodiscard]] double text_encoder_macs(const ClipTextConfig& config, std::int64_t token_count,
                                       std::int64_t batch);

/// The same for a network's forward pass over one image of its size. A training step nominally
/// needs three times as much: the backward pass computes the gradients of inputs and of weights.
[[nodiscard]] double network_macs(const NetworkConfig& config);

/// Number of trained parameters, without batch norm's running mean and variance.
[[nodiscard]] double network_parameters(const NetworkConfig& config);

/// Elements that a network's layers read and write for one image.
struct NetworkResults {
  double all = 0;     ///< by a forward pass: denoiser_moved_elements() of a network
  double largest = 0; ///< of the layer that reads and writes most
  double kept = 0;    ///< by the forward pass, for a backward pass that follows
};
[[nodiscard]] NetworkResults network_results(const NetworkConfig& config);

/// Fewest elements that one forward pass of the denoiser must move besides its weights. Each
/// convolution, linear layer and attention reads its inputs once and writes its result once; norms,
/// activations and additions are fused into these, and attention scores never leave the kernel. A
/// lower bound for kernels that are fused no further.
[[nodiscard]] double denoiser_moved_elements(const DenoiserConfig& config,
                                             std::int64_t latent_height, std::int64_t latent_width,
                                             std::int64_t token_count, std::int64_t batch);

/// Parameters of a model by stage; for the VAE, of the decoder alone.
struct ParameterCounts {
  double text = 0; ///< all encoders
  double unet = 0; ///< the denoiser, whatever its kind
  double vae = 0;
};
[[nodiscard]] ParameterCounts parameter_counts(const ModelConfig& model);

} // namespace sdbench

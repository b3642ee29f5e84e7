#pragma once

#include <cstdint>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/network_config.h"

namespace sdbench {

/// Multiply-accumulates of one forward pass, counted from the architecture: convolutions, linears
/// and attention (QK^T and PV); norms, activations and additions are left out. 2 FLOP a MAC. See
/// docs/measuring.md. latent_height, latent_width in latent pixels; token_count per prompt; batch
/// counts images (CFG doubles it by the caller).
[[nodiscard]] double unet_macs(const UNetConfig& config, std::int64_t latent_height,
                               std::int64_t latent_width, std::int64_t token_count,
                               std::int64_t batch);
[[nodiscard]] double vae_decode_macs(const VaeConfig& config, std::int64_t latent_height,
                                     std::int64_t latent_width, std::int64_t batch);
[[nodiscard]] double text_encoder_macs(const ClipTextConfig& config, std::int64_t token_count,
                                       std::int64_t batch);

/// The same of a network's forward pass over one image of its size. A training step is nominally
/// three times as much: the backward pass computes the gradients of inputs and of weights.
[[nodiscard]] double network_macs(const NetworkConfig& config);

/// Numbers that training changes: batch norm's running mean and variance are not among them.
[[nodiscard]] double network_parameters(const NetworkConfig& config);

/// Numbers of one image that a network's layers read and write.
struct NetworkResults {
  double all = 0;     ///< by a forward pass: unet_moved_elements() of a network
  double largest = 0; ///< of the layer that reads and writes most
  double kept = 0;    ///< by the forward pass, for a backward pass that follows
};
[[nodiscard]] NetworkResults network_results(const NetworkConfig& config);

/// Numbers that one forward pass of the UNet must at least move besides its weights, if each
/// convolution, linear layer and attention reads its inputs once and writes its result once, and
/// norms, activations and additions ride along with them. A lower bound for kernels that are fused
/// no further; attention scores never leave the kernel.
[[nodiscard]] double unet_moved_elements(const UNetConfig& config, std::int64_t latent_height,
                                         std::int64_t latent_width, std::int64_t token_count,
                                         std::int64_t batch);

/// Numbers that a model's weights hold, by stage; of the VAE the decoder alone.
struct ParameterCounts {
  double text = 0; ///< both encoders of SDXL
  double unet = 0;
  double vae = 0;
};
[[nodiscard]] ParameterCounts parameter_counts(const ModelConfig& model);

} // namespace sdbench

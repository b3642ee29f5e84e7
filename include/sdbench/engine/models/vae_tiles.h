#pragma once

#include <functional>

#include <ATen/core/Tensor.h>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// The tiles of diffusers' AutoencoderKL.tiled_decode: squares whose side is the VAE's sample_size.
/// Neighbours overlap by a quarter of the side, and are blended there.
struct VaeTiles {
  std::int64_t latent_side; ///< side of a tile, in latent pixels
  std::int64_t latent_step; ///< distance between the starts of neighbouring tiles, in latent pixels
  std::int64_t blend;       ///< width of the blended edge, in pixels
  std::int64_t kept;        ///< side of the part of each tile that goes into the image, in pixels

  /// True if an image of this latent size is cut into tiles.
  [[nodiscard]] bool cut(std::int64_t latent_height, std::int64_t latent_width) const {
    return latent_height > latent_side || latent_width > latent_side;
  }
  /// Number of tiles of an image of this latent size; 1 if it is not cut.
  [[nodiscard]] std::int64_t count(std::int64_t latent_height, std::int64_t latent_width) const;
};

/// Throws Error if a quarter of sample_size is not a whole number of latent pixels: such tiles
/// would not fit together.
[[nodiscard]] VaeTiles vae_tiles(const VaeConfig& config);

/// Decodes latents [B, C, h, w] to pixels [B, 3, 8h, 8w], tile by tile. `decode` decodes one tile
/// of each image.
[[nodiscard]] at::Tensor
decode_in_tiles(const at::Tensor& latents, const VaeTiles& tiles,
                const std::function<at::Tensor(const at::Tensor&)>& decode);

} // namespace sdbench

#include "sdbench/engine/models/vae_tiles.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

/// Fades from the end of `before` into the start of `tile` along a dimension, in place. Like the
/// oracle, rounds both products to the tile's dtype before adding them.
void blend_into(const at::Tensor& tile, const at::Tensor& before, std::int64_t dimension,
                std::int64_t most) {
  const std::int64_t extent = std::min({before.size(dimension), tile.size(dimension), most});
  std::vector<std::int64_t> shape(static_cast<std::size_t>(tile.dim()), 1);
  shape[static_cast<std::size_t>(dimension)] = extent;
  const at::Tensor rising =
      (at::arange(extent, at::device(tile.device()).dtype(at::kDouble)) / extent).view(shape);
  const at::Tensor end = before.narrow(dimension, before.size(dimension) - extent, extent);
  at::Tensor start = tile.narrow(dimension, 0, extent);
  const auto part = [&](const at::Tensor& pixels, const at::Tensor& share) {
    return (pixels.to(at::kFloat) * share.to(at::kFloat)).to(tile.scalar_type());
  };
  start.copy_(part(end, 1 - rising) + part(start, rising));
}

} // namespace

std::int64_t VaeTiles::count(std::int64_t latent_height, std::int64_t latent_width) const {
  const auto along = [&](std::int64_t side) { return (side + latent_step - 1) / latent_step; };
  return cut(latent_height, latent_width) ? along(latent_height) * along(latent_width) : 1;
}

VaeTiles vae_tiles(const VaeConfig& config) {
  const std::int64_t factor = config.scale_factor();
  constexpr std::int64_t kOverlapParts = 4; // tile_overlap_factor 0.25
  if (config.sample_size % (factor * kOverlapParts) != 0) {
    throw Error("sample_size of the VAE must be a multiple of " +
                std::to_string(factor * kOverlapParts) + " for --vae-tiling, but is " +
                std::to_string(config.sample_size) + "; run without --vae-tiling");
  }
  const std::int64_t side = config.sample_size / factor;
  const std::int64_t blend = config.sample_size / kOverlapParts;
  return {side, side - side / kOverlapParts, blend, config.sample_size - blend};
}

at::Tensor decode_in_tiles(const at::Tensor& latents, const VaeTiles& tiles,
                           const std::function<at::Tensor(const at::Tensor&)>& decode) {
  constexpr std::int64_t kRows = 2;
  constexpr std::int64_t kColumns = 3;
  if (!tiles.cut(latents.size(kRows), latents.size(kColumns))) {
    return decode(latents);
  }
  std::vector<at::Tensor> image;
  std::vector<at::Tensor> above; // the previous row of tiles, blended
  for (std::int64_t y = 0; y < latents.size(kRows); y += tiles.latent_step) {
    std::vector<at::Tensor> row;
    std::vector<at::Tensor> kept;
    for (std::int64_t x = 0; x < latents.size(kColumns); x += tiles.latent_step) {
      const at::Tensor tile = decode(
          latents.slice(kRows, y, y + tiles.latent_side).slice(kColumns, x, x + tiles.latent_side));
      if (!above.empty()) {
        blend_into(tile, above[row.size()], kRows, tiles.blend);
      }
      if (!row.empty()) {
        blend_into(tile, row.back(), kColumns, tiles.blend);
      }
      row.push_back(tile);
      kept.push_back(tile.slice(kRows, 0, tiles.kept).slice(kColumns, 0, tiles.kept));
    }
    image.push_back(at::cat(kept, kColumns));
    above = std::move(row);
  }
  return at::cat(image, kRows);
}

} // namespace sdbench

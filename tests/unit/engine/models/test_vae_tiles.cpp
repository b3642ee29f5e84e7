#include "catch.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/models/vae_tiles.h"

using namespace sdbench;

// That the numbers are diffusers' is shown in tests/parity; here is what surrounds them.

namespace {

VaeConfig config(std::int64_t sample_size) {
  VaeConfig vae;
  vae.block_out_channels = {32, 32, 32, 32}; // eight pixels a latent pixel
  vae.sample_size = sample_size;
  return vae;
}

/// A decoder that only enlarges: tiles of it are cut from the whole image.
at::Tensor enlarge(const at::Tensor& latents) {
  return at::upsample_nearest2d(latents, {8 * latents.size(2), 8 * latents.size(3)});
}

} // namespace

TEST_CASE("tiles overlap by a quarter") {
  const VaeTiles tiles = vae_tiles(config(512));
  CHECK(tiles.latent_side == 64);
  CHECK(tiles.latent_step == 48);
  CHECK(tiles.blend == 128);
  CHECK(tiles.kept == 384);
  CHECK(tiles.count(64, 64) == 1);
  CHECK(tiles.count(65, 64) == 4);
  CHECK(tiles.count(128, 96) == 6);
}

TEST_CASE("a tile whose quarter is no whole latent pixel is refused") {
  for (const std::int64_t size : {8, 40, 72, 100}) {
    INFO(size);
    CHECK_THROWS_AS(vae_tiles(config(size)), Error);
  }
  CHECK_THROWS_WITH(vae_tiles(config(100)),
                    "sample_size of the VAE must be a multiple of 32 for --vae-tiling, but is 100; "
                    "run without --vae-tiling");
  CHECK(vae_tiles(config(32)).latent_step == 3);
}

TEST_CASE("where tiles agree, the image is the one that is not cut") {
  const at::Tensor latents = at::rand({2, 3, 13, 25});
  for (const auto dtype : {at::kFloat, at::kDouble}) {
    int decoded = 0;
    const at::Tensor image =
        decode_in_tiles(latents.to(dtype), vae_tiles(config(64)), [&](auto& tile) {
          ++decoded;
          CHECK(tile.size(2) <= 8);
          CHECK(tile.size(3) <= 8);
          return enlarge(tile);
        });
    CHECK(decoded == vae_tiles(config(64)).count(13, 25));
    CHECK(at::allclose(image, enlarge(latents).to(dtype), 1e-6, 1e-6));
  }
}

TEST_CASE("where tiles differ, they fade into each other and leave no seam") {
  double shade = 0;
  const at::Tensor image =
      decode_in_tiles(at::zeros({1, 3, 4, 14}), vae_tiles(config(64)), [&](auto& tile) {
        shade += 1;
        return at::full_like(enlarge(tile), shade);
      });
  REQUIRE(image.sizes() == at::IntArrayRef({1, 3, 32, 112}));
  const at::Tensor line = image[0][0][0];
  CHECK(line[47].item<float>() == 1.0F); // the first tile alone
  CHECK(line[48].item<float>() == 1.0F); // the second begins with the first's colour
  CHECK(line[56].item<float>() == 1.5F); // and is half of each in the middle of the overlap
  CHECK(line[64].item<float>() == 2.0F);
  CHECK((line.slice(0, 1) - line.slice(0, 0, -1)).abs().max().item<float>() <= 1.0F / 16 + 1e-6F);
}

TEST_CASE("an image no larger than a tile is decoded whole") {
  int decoded = 0;
  const at::Tensor latents = at::rand({1, 3, 8, 8});
  const at::Tensor image = decode_in_tiles(latents, vae_tiles(config(64)), [&](auto& tile) {
    ++decoded;
    CHECK(tile.is_same(latents));
    return enlarge(tile);
  });
  CHECK(decoded == 1);
  CHECK(at::equal(image, enlarge(latents)));
}

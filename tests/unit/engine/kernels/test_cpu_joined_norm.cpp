#include "sdbench/engine/kernels/cpu_joined_norm.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <ATen/ATen.h>

#include "catch.h"

using namespace sdbench;

namespace {

at::Tensor image_of(std::int64_t channels) {
  return at::randn({3, channels, 5, 7}).contiguous(at::MemoryFormat::ChannelsLast);
}

} // namespace

TEST_CASE("images joined by their channels, scaled, shifted and in ReLU, are what ATen computes") {
  at::manual_seed(1);
  const std::vector<at::Tensor> parts = {image_of(9), image_of(1), image_of(16)};
  REQUIRE(can_join(parts));
  const at::Tensor scale = at::randn({26});
  const at::Tensor shift = at::randn({26});
  const at::Tensor joined = joined_relu(parts, scale, shift);
  CHECK(joined.is_contiguous(at::MemoryFormat::ChannelsLast));
  const at::Tensor expected =
      at::relu(at::cat(parts, 1) * scale.view({1, -1, 1, 1}) + shift.view({1, -1, 1, 1}));
  CHECK(expected.eq(0).any().item<bool>());
  CHECK(at::allclose(joined, expected, 1e-6, 1e-6));
}

TEST_CASE("a joined image keeps NaN and infinity, so that a broken run is seen") {
  std::vector<at::Tensor> parts = {image_of(2), image_of(2)};
  parts[0][0][0][0][0] = std::numeric_limits<float>::quiet_NaN();
  parts[1][0][1][0][0] = std::numeric_limits<float>::infinity();
  const at::Tensor joined = joined_relu(parts, at::ones({4}), at::zeros({4}));
  CHECK(std::isnan(joined[0][0][0][0].item<float>()));
  CHECK(std::isinf(joined[0][3][0][0].item<float>()));
}

TEST_CASE("images in another order or number format are not joined here") {
  CHECK_FALSE(can_join({at::randn({2, 4, 5, 5})}));
  CHECK_FALSE(can_join({image_of(4).to(at::kBFloat16)}));
  CHECK_FALSE(can_join({image_of(4), at::randn({3, 4, 5, 7})}));
}

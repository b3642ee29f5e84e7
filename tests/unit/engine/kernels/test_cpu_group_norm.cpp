#include "catch.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kinds.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/cpu_group_norm.h"

using namespace sdbench;

namespace {

constexpr at::MemoryFormat kPixelByPixel = at::MemoryFormat::ChannelsLast;

struct Normed {
  at::Tensor x, weight, bias;
  std::int64_t groups = 1;
  bool silu = false;
};

constexpr double kEps = 1e-5;

Normed random_images(std::vector<std::int64_t> sizes, std::int64_t groups, at::ScalarType dtype) {
  at::manual_seed(3);
  const std::int64_t channels = sizes[1];
  // Channels of other means and spreads, as networks have them.
  const at::Tensor spread = at::rand({1, channels, 1, 1}) * 3 + 0.1;
  const at::Tensor x = at::randn(sizes) * spread + at::randn({1, channels, 1, 1}) * 2;
  return {x.to(dtype).contiguous(kPixelByPixel), (at::rand({channels}) + 0.5).to(dtype),
          at::randn({channels}).to(dtype), groups};
}

at::Tensor in_double(const Normed& n) {
  const at::Tensor normed = at::group_norm(n.x.to(at::kDouble), n.groups, n.weight.to(at::kDouble),
                                           n.bias.to(at::kDouble), kEps);
  return n.silu ? at::silu(normed) : normed;
}

at::Tensor ours(const Normed& n, CpuInstructions instructions) {
  return CpuGroupNorm(n.weight, n.bias, n.groups, kEps)(n.x, n.silu, instructions);
}

/// Largest difference as a share of the largest value.
double norm_error(const at::Tensor& got, const at::Tensor& wanted) {
  return ((got.to(at::kDouble) - wanted).abs().max() / wanted.abs().max()).item<double>();
}

/// One rounding of the result, and in fp32 a few before it.
double norm_tolerance(at::ScalarType dtype) {
  return dtype == at::kFloat ? 1e-6 : 1.0 / 256;
}

} // namespace

TEST_CASE("a group norm of our own computes what the formula says, with SiLU and without") {
  for (const auto& [instructions, dtype] : kinds()) {
    for (const bool silu : {false, true}) {
      // One pixel; groups of one channel and all in one; channels that are no multiple of four
      // vectors; more pixels than one task has, and no whole number of tasks or of sums.
      for (const auto& [sizes, groups] :
           std::vector<std::pair<std::vector<std::int64_t>, int>>{{{1, 32, 2, 1}, 32},
                                                                  {{1, 16, 1, 3}, 1},
                                                                  {{2, 48, 5, 7}, 3},
                                                                  {{3, 320, 9, 8}, 32},
                                                                  {{1, 128, 67, 61}, 32},
                                                                  {{2, 1280, 16, 16}, 32}}) {
        Normed n = random_images(sizes, groups, dtype);
        n.silu = silu;
        CAPTURE(name_of(instructions), sizes, groups, silu);
        const at::Tensor got = ours(n, instructions);
        CHECK(got.scalar_type() == dtype);
        CHECK(got.is_contiguous(kPixelByPixel));
        CHECK(norm_error(got, in_double(n)) < norm_tolerance(dtype));
      }
    }
  }
}

TEST_CASE("a group norm of our own loses nothing where the mean is far larger than the spread") {
  for (const auto& [instructions, dtype] : kinds()) {
    if (dtype != at::kFloat) {
      continue; // bf16 could not hold such values
    }
    Normed n = random_images({1, 32, 100, 100}, 4, dtype);
    n.x = (at::randn({1, 32, 100, 100}) + 3000).contiguous(kPixelByPixel);
    CHECK(norm_error(ours(n, instructions), in_double(n)) < 1e-4); // of values with 13 bits left
  }
}

TEST_CASE("a group of equal values becomes its bias") {
  for (const auto& [instructions, dtype] : kinds()) {
    Normed n = random_images({1, 32, 40, 40}, 2, dtype);
    n.x.fill_(0.7);
    const at::Tensor bias = n.bias.view({1, 32, 1, 1}).expand_as(n.x).to(at::kDouble);
    CHECK(norm_error(ours(n, instructions), bias) < norm_tolerance(dtype));
  }
}

TEST_CASE("what is not a number, or overflows fp32, is none in its group and image alone") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [instructions, dtype] : kinds()) {
    for (const auto& [pixel, bad] : // sums are of the distances from the first
         std::vector<std::pair<std::int64_t, float>>{{0, nan}, {5, nan}, {5, 3e38F}}) {
      Normed n = random_images({2, 64, 6, 6}, 4, dtype);
      n.silu = true;
      n.x[1][17].select(0, 0)[pixel] = bad; // group 1
      const at::Tensor got = ours(n, instructions);
      CHECK(got[1].slice(0, 16, 32).isnan().all().item<bool>());
      CHECK(got.isnan().sum().item<std::int64_t>() == 16 * 36);
    }
  }
}

TEST_CASE("SiLU of values far from zero is the value itself, or nothing") {
  for (const auto& [instructions, dtype] : kinds()) {
    Normed n = random_images({1, 16, 2, 2}, 1, dtype);
    n.silu = true;
    n.weight.zero_();
    n.bias.fill_(200.0);
    CHECK((ours(n, instructions) == 200).all().item<bool>());
    n.bias.fill_(-200.0);
    CHECK((ours(n, instructions) == 0).all().item<bool>());
  }
}

TEST_CASE("the number of threads changes no bit of a group norm") {
  const int before = at::get_num_threads();
  for (const auto& [instructions, dtype] : kinds()) {
    const Normed n = random_images({2, 128, 80, 80}, 32, dtype);
    at::set_num_threads(1);
    const at::Tensor alone = ours(n, instructions);
    at::set_num_threads(3);
    CHECK(at::equal(ours(n, instructions), alone));
  }
  at::set_num_threads(before);
}

TEST_CASE("a group norm of our own is for whole vectors of channels, pixel by pixel") {
  for (const auto& [instructions, dtype] : kinds()) {
    const auto found = [kind = dtype](std::vector<std::int64_t> sizes, at::MemoryFormat format) {
      return CpuGroupNorm::instructions(at::zeros(sizes).to(kind).contiguous(format)).has_value();
    };
    CHECK(found({1, 32, 4, 4}, kPixelByPixel));
    CHECK_FALSE(found({1, 32, 4, 4}, at::MemoryFormat::Contiguous));
    CHECK_FALSE(found({1, 24, 4, 4}, kPixelByPixel));
    CHECK_FALSE(found({0, 32, 4, 4}, kPixelByPixel));
    CHECK_FALSE(CpuGroupNorm::instructions(at::zeros({2, 32}).to(dtype)).has_value());
    const Normed n = random_images({1, 32, 2, 2}, 5, dtype);
    CHECK_THROWS_WITH(ours(n, instructions),
                      "the groups of a norm must divide its 32 channels, but are 5");
    Normed other = random_images({1, 32, 2, 2}, 4, dtype);
    other.x = random_images({1, 48, 2, 2}, 4, dtype).x;
    CHECK_THROWS_WITH(ours(other, instructions),
                      "a group norm's input must have 32 channels, but has 48");
  }
  CHECK_FALSE(CpuGroupNorm::instructions(at::zeros({1, 32, 4, 4}).to(at::kHalf)).has_value());
}

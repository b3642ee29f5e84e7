#include "catch.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kinds.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/cpu_instructions.h"
#include "sdbench/engine/kernels/cpu_winograd.h"

using namespace sdbench;

namespace {

at::Tensor some_numbers(at::IntArrayRef shape, at::ScalarType dtype) {
  at::manual_seed(11);
  return at::randn(shape).to(dtype);
}

/// Largest difference as a share of the largest value.
double difference(const at::Tensor& got, const at::Tensor& wanted) {
  REQUIRE(got.sizes() == wanted.sizes());
  return ((got.to(at::kDouble) - wanted).abs().max() / wanted.abs().max()).item<double>();
}

/// Of sums of thousands of products.
constexpr double kAllowed = 3e-6;

at::Tensor exact_conv(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return at::conv2d(x.to(at::kDouble), weight.to(at::kDouble), bias.to(at::kDouble), 1, 1);
}

} // namespace

TEST_CASE("a convolution in Winograd's form computes what the exact one does in any shape") {
  struct Shape {
    std::int64_t images, in, out, height, width;
  };
  for (const CpuInstructions instructions : fp32_instructions()) {
    CAPTURE(name_of(instructions));
    // Sides that are even, odd and 1; outputs that fill no panel and that are more than one group;
    // depths of one slice, of several and of unequal ones; more tiles than are gathered at once.
    for (const Shape& s :
         {Shape{1, 16, 1, 1, 1}, Shape{2, 64, 48, 9, 13}, Shape{1, 320, 32, 16, 16},
          Shape{3, 32, 100, 8, 8}, Shape{1, 32, 16, 1, 40}, Shape{1, 32, 16, 40, 1},
          Shape{2, 1280, 64, 2, 3}, Shape{1, 192, 80, 33, 65}, Shape{2, 640, 64, 34, 34}}) {
      CAPTURE(s.images, s.in, s.out, s.height, s.width);
      const at::Tensor x = some_numbers({s.images, s.in, s.height, s.width}, at::kFloat);
      const at::Tensor weight = some_numbers({s.out, s.in, 3, 3}, at::kFloat);
      const at::Tensor bias = some_numbers({s.out}, at::kFloat);
      const CpuWinograd conv(weight, bias, instructions);
      const at::Tensor got = conv(x.contiguous(at::MemoryFormat::ChannelsLast));
      CHECK(got.is_contiguous(at::MemoryFormat::ChannelsLast));
      CHECK(difference(got, exact_conv(x, weight, bias)) < kAllowed);
      CHECK(at::equal(conv(x), got)); // contiguous
    }
  }
}

TEST_CASE("a convolution in Winograd's form gives the same bits with any number of threads") {
  for (const CpuInstructions instructions : fp32_instructions()) {
    CAPTURE(name_of(instructions));
    const int before = at::get_num_threads();
    const CpuWinograd conv(some_numbers({100, 48, 3, 3}, at::kFloat),
                           some_numbers({100}, at::kFloat), instructions);
    const at::Tensor x = some_numbers({2, 48, 31, 23}, at::kFloat);
    at::set_num_threads(1);
    const at::Tensor wanted = conv(x);
    for (const int threads : {2, 3, 5}) {
      CAPTURE(threads);
      at::set_num_threads(threads);
      CHECK(at::equal(conv(x), wanted));
    }
    at::set_num_threads(before);
  }
}

TEST_CASE("a convolution in Winograd's form takes any strides, and a bias of another dtype") {
  for (const CpuInstructions instructions : fp32_instructions()) {
    CAPTURE(name_of(instructions));
    const at::Tensor weight = some_numbers({24, 32, 3, 3}, at::kFloat);
    const at::Tensor bias = some_numbers({24}, at::kBFloat16);
    const CpuWinograd conv(weight, bias.to(at::kFloat), instructions);
    const at::Tensor wide =
        some_numbers({2, 64, 20, 20}, at::kFloat).contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor x = wide.narrow(1, 16, 32).narrow(2, 3, 9).narrow(3, 5, 13);
    const at::Tensor wanted = conv(x.clone(at::MemoryFormat::Contiguous));
    CHECK(at::equal(conv(x), wanted));
    CHECK(at::equal(CpuWinograd(weight, bias, instructions)(x), wanted));
    const at::Tensor spread = bias.to(at::kFloat).unsqueeze(1).repeat({1, 3}).select(1, 1);
    REQUIRE_FALSE(spread.is_contiguous());
    CHECK(at::equal(CpuWinograd(weight, spread, instructions)(x), wanted));
  }
}

TEST_CASE("what is not a number stays with the tiles that see it in Winograd's form") {
  for (const CpuInstructions instructions : fp32_instructions()) {
    CAPTURE(name_of(instructions));
    const CpuWinograd conv(some_numbers({16, 32, 3, 3}, at::kFloat), some_numbers({16}, at::kFloat),
                           instructions);
    const at::Tensor x =
        some_numbers({2, 32, 7, 9}, at::kFloat).contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor clean = conv(x);
    x.select(0, 1).select(1, 0).select(1, 8).fill_(std::numeric_limits<float>::quiet_NaN());
    const at::Tensor got = conv(x); // two tiles of 2x2 see it, of which one is cut off
    CHECK(got.isnan().sum().item<std::int64_t>() <= std::int64_t{6} * 16);
    CHECK(got.select(0, 1).narrow(1, 0, 2).narrow(2, 7, 2).isnan().all().item<bool>());
    CHECK_FALSE(got.select(0, 1).narrow(2, 0, 6).isnan().any().item<bool>());
    CHECK(at::equal(got.select(0, 0), clean.select(0, 0)));
  }
}

TEST_CASE("Winograd's form is for 3x3 in fp32 by sixteens, and refuses other images") {
  const auto weight = [](at::IntArrayRef shape, at::ScalarType dtype = at::kFloat) {
    return at::zeros(shape, dtype);
  };
  CHECK_FALSE(CpuWinograd::instructions(weight({32, 32, 1, 1})));
  CHECK_FALSE(CpuWinograd::instructions(weight({32, 20, 3, 3})));
  CHECK_FALSE(CpuWinograd::instructions(weight({32, 0, 3, 3})));
  CHECK_FALSE(CpuWinograd::instructions(weight({32, 32, 3, 3}, at::kBFloat16)));
  CHECK_FALSE(CpuWinograd::instructions(weight({32, 32})));
  CHECK(CpuWinograd::instructions(weight({32, 32, 3, 3})) == cpu_instructions(at::kFloat));
  const auto instructions = cpu_instructions(at::kFloat);
  if (!instructions) {
    return;
  }
  const CpuWinograd conv(weight({32, 16, 3, 3}), at::zeros({32}), *instructions);
  CHECK_THROWS_WITH(conv(at::zeros({1, 32, 4, 4})),
                    "a convolution's input must be [N, 16, H, W] in Float, but is [1, 32, 4, 4] "
                    "in Float");
  CHECK_THROWS_WITH(conv(at::zeros({1, 16, 4, 4}, at::kBFloat16)),
                    "a convolution's input must be [N, 16, H, W] in Float, but is [1, 16, 4, 4] "
                    "in BFloat16");
  CHECK_THROWS_WITH(conv(at::zeros({16})),
                    "a convolution's input must be [N, 16, H, W] in Float, but is [16] in Float");
  CHECK(conv(at::zeros({0, 16, 4, 4})).sizes() == at::IntArrayRef{0, 32, 4, 4});
  CHECK(conv(at::zeros({2, 16, 0, 4})).sizes() == at::IntArrayRef{2, 32, 0, 4});
}

#include "catch.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kinds.h"
#include "sdbench/core/error.h"
#include "sdbench/kernels/cpu_conv.h"
#include "sdbench/kernels/cpu_instructions.h"
#include "sdbench/kernels/cpu_linear.h"
#include "sdbench/kernels/cpu_winograd.h"

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

/// bf16: one rounding of the result. fp32: sums of thousands of products.
double allowed(at::ScalarType dtype) {
  return dtype == at::kFloat ? 3e-6 : 1.0 / 256;
}

at::Tensor exact_linear(const at::Tensor& x, const at::Tensor& weight,
                        const std::optional<at::Tensor>& bias) {
  const at::Tensor product = at::matmul(x.to(at::kDouble), weight.to(at::kDouble).t());
  return bias ? product + bias->to(at::kDouble) : product;
}

at::Tensor exact_conv(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return at::conv2d(x.to(at::kDouble), weight.to(at::kDouble), bias.to(at::kDouble), 1, 1);
}

} // namespace

TEST_CASE("a linear layer of our own computes x w^T + b in any shape") {
  struct Shape {
    std::vector<std::int64_t> rows;
    std::int64_t in, out;
  };
  // Rows that are no multiple of what is computed at once; outputs that fill no panel; depths of
  // one slice, of several and of unequal ones.
  for (const auto& [instructions, dtype] : kinds()) {
    for (const Shape& s :
         {Shape{{1}, 32, 1}, Shape{{2, 77}, 768, 320}, Shape{{33}, 64, 17},
          Shape{{2, 64}, 320, 2560}, Shape{{129}, 1280, 100}, Shape{{2, 5, 7}, 96, 48},
          Shape{{300}, 1312, 640}, Shape{{7}, 5120, 64}, Shape{{1024}, 32, 16}}) {
      CAPTURE(name_of(instructions), s.rows, s.in, s.out);
      std::vector<std::int64_t> shape = s.rows;
      shape.push_back(s.in);
      const at::Tensor x = some_numbers(shape, dtype);
      const at::Tensor weight = some_numbers({s.out, s.in}, dtype);
      const at::Tensor bias = some_numbers({s.out}, dtype);
      const at::Tensor got = CpuLinear(weight, bias, instructions)(x);
      CHECK(got.scalar_type() == dtype);
      CHECK(got.is_contiguous());
      CHECK(difference(got, exact_linear(x, weight, bias)) < allowed(dtype));
      const CpuLinear without(weight, std::nullopt, instructions);
      CHECK(difference(without(x), exact_linear(x, weight, {})) < allowed(dtype));
    }
  }
}

TEST_CASE("a linear layer of our own takes any strides, no rows, and any number of threads") {
  const int before = at::get_num_threads();
  for (const auto& [instructions, dtype] : kinds()) {
    const CpuLinear layer(some_numbers({80, 64}, dtype), std::nullopt, instructions);
    const at::Tensor x = some_numbers({200, 64}, dtype);
    at::set_num_threads(1);
    const at::Tensor wanted = layer(x);
    at::set_num_threads(3);
    CHECK(at::equal(layer(x), wanted));
    CHECK(at::equal(layer(x.t().contiguous().t()), wanted));
    CHECK(at::equal(layer(at::cat({x, x}, 1).narrow(1, 64, 64)), wanted));
    CHECK(layer(x.narrow(0, 0, 0)).sizes() == at::IntArrayRef{0, 80});
  }
  at::set_num_threads(before);
}

TEST_CASE("a 3x3 convolution of our own computes what the exact one does in any shape") {
  struct Shape {
    std::int64_t images, in, out, height, width;
  };
  for (const auto& [instructions, dtype] : kinds()) {
    for (const Shape& s :
         {Shape{1, 32, 1, 1, 1}, Shape{2, 64, 48, 9, 13}, Shape{1, 320, 32, 16, 16},
          Shape{3, 32, 100, 8, 8}, Shape{1, 32, 16, 1, 40}, Shape{1, 32, 16, 40, 1},
          Shape{2, 1280, 64, 2, 3}, Shape{1, 96, 32, 33, 65}}) {
      CAPTURE(name_of(instructions), s.images, s.in, s.out, s.height, s.width);
      const at::Tensor x = some_numbers({s.images, s.in, s.height, s.width}, dtype);
      const at::Tensor weight = some_numbers({s.out, s.in, 3, 3}, dtype);
      const at::Tensor bias = some_numbers({s.out}, dtype);
      const CpuConv3x3 conv(weight, bias, instructions);
      const at::Tensor got = conv(x.contiguous(at::MemoryFormat::ChannelsLast));
      CHECK(got.scalar_type() == dtype);
      CHECK(got.is_contiguous(at::MemoryFormat::ChannelsLast));
      CHECK(difference(got, exact_conv(x, weight, bias)) < allowed(dtype));
      CHECK(at::equal(conv(x), got)); // contiguous
    }
  }
}

TEST_CASE("a 3x3 convolution of our own answers nothing for nothing") {
  for (const auto& [instructions, dtype] : kinds()) {
    const CpuConv3x3 conv(some_numbers({16, 32, 3, 3}, dtype), some_numbers({16}, dtype),
                          instructions);
    CHECK(conv(at::empty({0, 32, 4, 4}, dtype)).sizes() == at::IntArrayRef{0, 16, 4, 4});
    CHECK(conv(at::empty({1, 32, 0, 4}, dtype)).sizes() == at::IntArrayRef{1, 16, 0, 4});
    CHECK(conv(at::empty({1, 32, 4, 0}, dtype)).sizes() == at::IntArrayRef{1, 16, 4, 0});
  }
}

TEST_CASE("what is not a number stays with the pixels beside it") {
  for (const auto& [instructions, dtype] : kinds()) {
    const CpuConv3x3 conv(some_numbers({16, 32, 3, 3}, dtype), some_numbers({16}, dtype),
                          instructions);
    const at::Tensor x =
        some_numbers({2, 32, 7, 9}, dtype).contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor clean = conv(x);
    x.select(0, 1).select(1, 0).select(1, 8).fill_(std::numeric_limits<float>::quiet_NaN());
    const at::Tensor got = conv(x); // the right upper corner of image 1: four pixels see it
    CHECK(got.isnan().sum().item<std::int64_t>() == std::int64_t{4} * 16);
    CHECK(got.select(0, 1).narrow(1, 0, 2).narrow(2, 7, 2).isnan().all().item<bool>());
    CHECK(at::equal(got.select(0, 0), clean.select(0, 0)));
  }
}

TEST_CASE(
    "layers of our own are for weights whose depth fills tile rows, in a dtype of the processor") {
  const at::Tensor fits = at::empty({8, 64});
  CHECK(CpuLinear::instructions(fits) == cpu_instructions(at::kFloat));
  CHECK(CpuLinear::instructions(fits.to(at::kBFloat16)) == cpu_instructions(at::kBFloat16));
  CHECK_FALSE(CpuLinear::instructions(fits.to(at::kHalf)).has_value());
  CHECK_FALSE(CpuLinear::instructions(at::empty({8, 40})).has_value());
  CHECK_FALSE(CpuLinear::instructions(at::empty({8, 0})).has_value());
  CHECK_FALSE(CpuLinear::instructions(at::empty({8, 48}, at::kBFloat16)).has_value());
  CHECK(CpuConv3x3::instructions(at::empty({8, 64, 3, 3})) == cpu_instructions(at::kFloat));
  CHECK_FALSE(CpuConv3x3::instructions(at::empty({8, 4, 3, 3})).has_value());
  CHECK_FALSE(CpuConv3x3::instructions(at::empty({8, 64, 1, 1})).has_value());
  CHECK_FALSE(CpuConv3x3::instructions(at::empty({8, 64, 5, 5})).has_value());
}

TEST_CASE("layers of our own refuse an input that is not theirs") {
  for (const auto& [instructions, dtype] : kinds()) {
    const CpuLinear layer(some_numbers({8, 64}, dtype), std::nullopt, instructions);
    CHECK_THROWS_WITH(layer(at::zeros({2, 32}, dtype)),
                      Catch::Matchers::ContainsSubstring("input must be [..., 64] in"));
    CHECK_THROWS_AS(layer(at::zeros({2, 64}, at::kHalf)), Error);
    const CpuConv3x3 conv(some_numbers({8, 64, 3, 3}, dtype), at::zeros({8}, dtype), instructions);
    CHECK_THROWS_WITH(conv(at::zeros({1, 32, 4, 4}, dtype)),
                      Catch::Matchers::ContainsSubstring("input must be [N, 64, H, W] in"));
  }
}

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
      CHECK(difference(got, exact_conv(x, weight, bias)) < allowed(at::kFloat));
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

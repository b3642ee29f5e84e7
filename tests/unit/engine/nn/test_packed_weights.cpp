#include "sdbench/engine/nn/packed_weights.h"

#include <cstdint>
#include <memory>
#include <utility>

#include <ATen/ATen.h>

#include "catch.h"
#include "sdbench/base/device/host.h"
#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/feed_forward.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/resnet_block.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/transformer_block.h"
#include "sdbench/engine/nn/weight_form.h"

using namespace sdbench;

namespace {

/// Largest difference over the largest value.
double relative_error(const at::Tensor& ours, const at::Tensor& expected) {
  REQUIRE(ours.sizes() == expected.sizes());
  return ((ours.to(at::kFloat) - expected).abs().max() / expected.abs().max()).item<double>();
}

FormedSource source_of(at::ScalarType dtype, const WeightForm& form) {
  return {std::make_unique<SyntheticSource>(0, "test", dtype, at::kCPU), form};
}

/// A layer in fp32 without any of it, and what `run` makes of it packed.
template <class Layer, class... Arguments, class Run>
void is_the_same_packed(const Run& run, const Arguments&... arguments) {
  FormedSource plain = source_of(at::kFloat, {});
  const at::Tensor expected = run(Layer(Weights(plain), arguments...), at::kFloat);
  for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
    if (!can_pack(at::kCPU, dtype, cpu_has_bf16())) {
      continue; // no oneDNN in this libtorch
    }
    for (const Packing packing : {Packing::kOneDnn, Packing::kWinograd}) {
      FormedSource source =
          source_of(dtype, {.memory_format = at::MemoryFormat::ChannelsLast, .packing = packing});
      CAPTURE(at::toString(dtype), static_cast<int>(packing));
      const at::Tensor ours = run(Layer(Weights(source), arguments...), dtype);
      CHECK(ours.scalar_type() == dtype);
      CHECK(relative_error(ours, expected) < (dtype == at::kFloat ? 1e-5 : 0.03));
    }
  }
}

at::Tensor numbers(at::IntArrayRef shape, at::ScalarType dtype) {
  at::manual_seed(1);
  return at::randn(shape).to(dtype);
}

} // namespace

TEST_CASE("a packed convolution without bias computes what the plain one does") {
  const Conv2dShape usual{.in = 32, .out = 24, .bias = Bias::kNo};
  const Conv2dShape halving{.in = 32, .out = 24, .stride = 2, .bias = Bias::kNo};
  const Conv2dShape pointwise{.in = 32, .out = 24, .kernel = 1, .padding = 0, .bias = Bias::kNo};
  for (const Conv2dShape& shape : {usual, halving, pointwise}) {
    is_the_same_packed<Conv2d>(
        [](const Conv2d& layer, at::ScalarType dtype) {
          return layer(numbers({2, 32, 9, 7}, dtype).contiguous(at::MemoryFormat::ChannelsLast));
        },
        shape);
  }
}

TEST_CASE("a packed linear layer computes what the plain one does") {
  is_the_same_packed<Linear>(
      [](const Linear& layer, at::ScalarType dtype) {
        return layer(numbers({2, 7, 64}, dtype));
      },
      64, 80);
  is_the_same_packed<Linear>(
      [](const Linear& layer, at::ScalarType dtype) {
        return layer(numbers({2, 7, 64}, dtype));
      },
      64, 80, Bias::kNo);
  is_the_same_packed<Geglu>(
      [](const Geglu& layer, at::ScalarType dtype) {
        return layer(numbers({2, 7, 64}, dtype));
      },
      64, 96);
}

TEST_CASE("a packed convolution computes what the plain one does, channels-last") {
  const auto image = [](at::IntArrayRef shape, at::ScalarType dtype) {
    return numbers(shape, dtype).contiguous(at::MemoryFormat::ChannelsLast);
  };
  const auto same_size = [&](const Conv2d& conv, at::ScalarType dtype) {
    return conv(numbers({2, 32, 9, 11}, dtype));
  };
  is_the_same_packed<Conv2d>(same_size, Conv2dShape{.in = 32, .out = 24});
  const auto one_pixel = [&](const Conv2d& conv, at::ScalarType dtype) {
    return conv(image({2, 32, 1, 1}, dtype));
  };
  is_the_same_packed<Conv2d>(one_pixel, Conv2dShape{.in = 32, .out = 24});
  is_the_same_packed<Conv2d>(
      same_size, Conv2dShape{.in = 32, .out = 24, .kernel = 1, .stride = 1, .padding = 0});
  const auto halved = [&](const Conv2d& conv, at::ScalarType dtype) {
    return conv(image({1, 16, 9, 11}, dtype));
  };
  is_the_same_packed<Conv2d>(halved, Conv2dShape{.in = 16, .out = 24, .stride = 2});
}

TEST_CASE("a convolution's ReLU is that of what it gives, in every packing") {
  const at::Tensor image =
      numbers({2, 16, 9, 11}, at::kFloat).contiguous(at::MemoryFormat::ChannelsLast);
  for (const Packing packing : {Packing::kNone, Packing::kOneDnn, Packing::kWinograd}) {
    if (packing != Packing::kNone && !can_pack(at::kCPU, at::kFloat, false)) {
      continue; // no oneDNN in this libtorch
    }
    for (const std::int64_t kernel : {1, 3}) {
      CAPTURE(static_cast<int>(packing), kernel);
      const Conv2d conv(numbers({24, 16, kernel, kernel}, at::kFloat), numbers({24}, at::kFloat),
                        {.in = 16, .out = 24, .kernel = kernel, .padding = kernel / 2}, packing);
      const at::Tensor sum = conv(image);
      CHECK(sum.min().item<float>() < 0);
      CHECK(at::allclose(conv(image, Activation::kRelu), at::relu(sum), 1e-6, 1e-6));
    }
  }
}

TEST_CASE("a packed convolution answers channels-last whatever the image's order is") {
  if (!can_pack(at::kCPU, at::kFloat, false)) {
    SUCCEED("no oneDNN in this libtorch");
    return;
  }
  const at::Tensor image = numbers({2, 16, 9, 11}, at::kFloat);
  for (const Packing packing : {Packing::kOneDnn, Packing::kWinograd}) {
    for (const std::int64_t kernel : {1, 3}) {
      const PackedConv2d conv(numbers({24, 16, kernel, kernel}, at::kFloat), at::zeros({24}), 1,
                              kernel / 2, packing);
      CHECK(conv(image).is_contiguous(at::MemoryFormat::ChannelsLast));
    }
  }
}

TEST_CASE("packed blocks compute what the plain ones do") {
  is_the_same_packed<ResnetBlock>(
      [](const ResnetBlock& block, at::ScalarType dtype) {
        return block(numbers({2, 32, 8, 8}, dtype).contiguous(at::MemoryFormat::ChannelsLast),
                     block.time_shifts(numbers({2, 16}, dtype)));
      },
      ResnetShape{.in = 32, .out = 64, .time_channels = 16});
  is_the_same_packed<TransformerBlock>(
      [](const TransformerBlock& block, at::ScalarType dtype) {
        return block(numbers({2, 16, 64}, dtype), numbers({2, 7, 40}, dtype));
      },
      TransformerShape{.channels = 64, .context_channels = 40, .heads = 4});
}

TEST_CASE("packing is timed, and nothing else is") {
  const double before_s = packing_seconds();
  FormedSource plain = source_of(at::kFloat, {});
  const Linear unpacked(Weights(plain), 64, 64);
  CHECK(packing_seconds() == before_s);
  FormedSource source =
      source_of(at::kFloat, {.packing = can_pack(at::kCPU, at::kFloat, false) ? Packing::kOneDnn
                                                                              : Packing::kNone});
  const Linear packed(Weights(source), 512, 512);
  CHECK((packing_seconds() > before_s) == can_pack(at::kCPU, at::kFloat, false));
}

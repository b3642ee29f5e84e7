#include "catch.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/engine/models/component_tensors.h"
#include "sdbench/engine/nn/embeddings.h"
#include "sdbench/engine/nn/feed_forward.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/recording_source.h"
#include "sdbench/engine/nn/resample.h"
#include "sdbench/engine/nn/resnet_block.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/nn/transformer_block.h"

using namespace sdbench;

// Values are compared with diffusers in tests/parity; here are the keys, the shapes and the
// properties.

namespace {

SyntheticSource synthetic() {
  return {0, "test", at::kFloat, at::kCPU};
}

std::vector<std::string> names(const RecordingSource& source) {
  std::vector<std::string> result;
  for (const TensorDeclaration& tensor : source.tensors()) {
    result.push_back(tensor.name);
  }
  return result;
}

} // namespace

TEST_CASE("the sinusoidal embedding of a number is cosines, then sines") {
  const SinusoidalEmbedding embedding(8, true, 0, at::kCPU);
  const at::Tensor out = embedding(at::tensor({0.0F, 3.0F}));
  REQUIRE(out.sizes() == at::IntArrayRef({2, 8}));
  CHECK(at::equal(out[0], at::tensor({1.0F, 1.0F, 1.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F})));
  CHECK(out[1][0].item<double>() == Approx(std::cos(3.0)).epsilon(1e-6));
  CHECK(out[1][1].item<double>() == Approx(std::cos(0.3)).epsilon(1e-6));
  CHECK(out[1][6].item<double>() == Approx(std::sin(0.03)).epsilon(1e-5));
}

TEST_CASE("a sinusoidal embedding may have its sines first") {
  const SinusoidalEmbedding embedding(4, false, 0, at::kCPU);
  CHECK(at::equal(embedding(at::tensor({0.0F}))[0], at::tensor({0.0F, 0.0F, 1.0F, 1.0F})));
}

TEST_CASE("a ResNet block has a shortcut only where the channel count changes") {
  RecordingSource same(at::kFloat);
  ResnetBlock(Weights(same), {.in = 32, .out = 32, .time_channels = std::nullopt});
  CHECK(names(same) == std::vector<std::string>{"norm1.weight", "norm1.bias", "conv1.weight",
                                                "conv1.bias", "norm2.weight", "norm2.bias",
                                                "conv2.weight", "conv2.bias"});
  RecordingSource other(at::kFloat);
  ResnetBlock(Weights(other), {.in = 32, .out = 64, .time_channels = 16});
  CHECK(names(other) == std::vector<std::string>{"norm1.weight", "norm1.bias", "conv1.weight",
                                                 "conv1.bias", "time_emb_proj.weight",
                                                 "time_emb_proj.bias", "norm2.weight", "norm2.bias",
                                                 "conv2.weight", "conv2.bias",
                                                 "conv_shortcut.weight", "conv_shortcut.bias"});
}

TEST_CASE("a ResNet block depends on the time embedding") {
  SyntheticSource source = synthetic();
  const ResnetBlock block(Weights(source), {.in = 32, .out = 64, .time_channels = 16});
  at::manual_seed(0);
  const at::Tensor x = at::randn({2, 32, 6, 5});
  const at::Tensor time = at::randn({2, 16});
  const at::Tensor first = block(x, block.time_shifts(time));
  CHECK(first.sizes() == at::IntArrayRef({2, 64, 6, 5}));
  CHECK_FALSE(at::allclose(first, block(x, block.time_shifts(at::randn({2, 16})))));
  const at::Tensor one_for_both = block(x, block.time_shifts(time.slice(0, 1)));
  CHECK(at::allclose(one_for_both[1], first[1], 1e-4, 1e-5));
  CHECK_FALSE(at::allclose(one_for_both[0], first[0]));
}

TEST_CASE("downsampling rounds up, upsampling goes to any size") {
  SyntheticSource source = synthetic();
  const Downsample2d down(Weights(source) / "down", 4);
  const Upsample2d up(Weights(source) / "up", 4);
  CHECK(down(at::zeros({1, 4, 9, 13})).sizes() == at::IntArrayRef({1, 4, 5, 7}));
  CHECK(up(at::zeros({1, 4, 5, 7})).sizes() == at::IntArrayRef({1, 4, 10, 14}));
  CHECK(up(at::zeros({1, 4, 5, 7}), {9, 13}).sizes() == at::IntArrayRef({1, 4, 9, 13}));
}

TEST_CASE("the transformer's projections are convolutions or linear layers") {
  TransformerShape shape{.channels = 32, .context_channels = 24, .heads = 4};
  RecordingSource convolutions(at::kFloat);
  Transformer2d(Weights(convolutions), shape);
  CHECK(convolutions.tensors()[2].shape == std::vector<std::int64_t>{32, 32, 1, 1});
  shape.linear_projection = true;
  RecordingSource linear(at::kFloat);
  Transformer2d(Weights(linear), shape);
  CHECK(linear.tensors()[2].shape == std::vector<std::int64_t>{32, 32});
  CHECK(names(linear) == names(convolutions));
  CHECK(byte_count(linear.tensors()) == byte_count(convolutions.tensors()));
}

TEST_CASE("both kinds of projection compute the same from the same numbers") {
  TransformerShape shape{.channels = 32, .context_channels = 24, .heads = 4, .layers = 2};
  struct AsMatrix final : LayerSource { // convolution weights [C, C, 1, 1] as [C, C]
    SyntheticSource source = synthetic();
    at::Tensor take(const std::string& name, at::IntArrayRef wanted) override {
      if (wanted.size() == 2 && name.rfind("proj_", 0) == 0) {
        return source.take(name, {wanted[0], wanted[1], 1, 1}).flatten(1);
      }
      return source.take(name, wanted);
    }
  } matrices;
  const Transformer2d convolutions(Weights(matrices), shape);
  shape.linear_projection = true;
  const Transformer2d linear(Weights(matrices), shape);
  at::manual_seed(0);
  const at::Tensor x = at::randn({2, 32, 3, 5});
  const at::Tensor context = at::randn({2, 7, 24});
  const auto run = [&](const Transformer2d& transformer, const at::Tensor& states) {
    return transformer(x, transformer.text(states, TextForm::kStates));
  };
  const at::Tensor out = run(linear, context);
  CHECK(out.sizes() == x.sizes());
  CHECK(at::allclose(out, run(convolutions, context), 1e-4, 1e-5));
  CHECK_FALSE(at::allclose(out, run(linear, at::randn({2, 7, 24}))));
}

TEST_CASE("the feed-forward layer is gated by an exact gelu") {
  struct Ones final : LayerSource {
    at::Tensor take(const std::string&, at::IntArrayRef shape) override {
      return at::ones(shape) / (shape.size() == 2 ? static_cast<double>(shape[1]) : 1.0);
    }
  } ones;
  const FeedForward layer(Weights(ones), 4);
  // Each of proj's outputs is mean(x) + 1 = 3, so the result is 3 * gelu(3) + 1.
  const double gelu = 3.0 * 0.5 * (1 + std::erf(3.0 / std::sqrt(2.0)));
  CHECK(layer(at::full({1, 1, 4}, 2.0F))[0][0][0].item<double>() ==
        Approx(3.0 * gelu + 1).epsilon(1e-6));
}

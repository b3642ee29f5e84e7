#include "catch.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "known_configs.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/models/clip_text_model.h"
#include "sdbench/engine/models/component_tensors.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/recording_source.h"
#include "sdbench/engine/nn/synthetic_source.h"

using namespace sdbench;
using namespace sdbench::testing;

namespace {

std::int64_t parameters(const ClipTextConfig& config) {
  RecordingSource source(at::kFloat);
  ClipTextModel(Weights(source), config);
  return byte_count(source.tensors()) / 4;
}

ClipTextConfig small(std::int64_t eos_token_id) {
  ClipTextConfig config;
  config.vocab_size = 100;
  config.hidden_size = 32;
  config.intermediate_size = 64;
  config.layer_count = 2;
  config.head_count = 4;
  config.max_position_count = 8;
  config.eos_token_id = eos_token_id;
  config.projection_dim = 16;
  return config;
}

ClipTextModel make(const ClipTextConfig& config) {
  SyntheticSource source(0, "text_encoder", at::kFloat, at::kCPU);
  return ClipTextModel(Weights(source), config);
}

at::Tensor ids(const std::vector<std::int64_t>& values) {
  return at::tensor(values, at::kLong).unsqueeze(0);
}

} // namespace

TEST_CASE("the text encoders have the published number of parameters") {
  CHECK(parameters(clip_l()) == 123'060'480);
  CHECK(parameters(open_clip_bigg()) == 694'659'840);
  CHECK(parameters(open_clip_h()) == 340'387'840);
}

TEST_CASE("the pooled state stands at the first end token") {
  const ClipTextModel model = make(small(99));
  const at::Tensor pooled = *model(ids({98, 5, 99, 99, 99}), 0).pooled;
  CHECK(pooled.sizes() == at::IntArrayRef({1, 16}));
  // What follows the first end token cannot matter: attention is causal.
  CHECK(at::allclose(pooled, *model(ids({98, 5, 99, 1, 2}), 0).pooled, 1e-4, 1e-5));
  CHECK_FALSE(at::allclose(pooled, *model(ids({98, 6, 99, 99, 99}), 0).pooled, 1e-4, 1e-5));
}

TEST_CASE("old configs say that the end token is 2, and mean the highest id") {
  const at::Tensor by_rule = *make(small(2))(ids({98, 2, 5, 99, 0}), 0).pooled;
  const at::Tensor by_id = *make(small(99))(ids({98, 2, 5, 99, 0}), 0).pooled;
  CHECK(at::equal(by_rule, by_id));
}

TEST_CASE("a state before the last layers is that of a model without them") {
  ClipTextConfig config = small(99);
  const at::Tensor tokens = ids({98, 5, 99});
  config.layer_count = 3;
  const ClipTextModel three = make(config);
  for (const std::int64_t skipped : {0, 1, 2}) {
    CAPTURE(skipped);
    config.layer_count = 3 - skipped;
    CHECK(at::allclose(three.normed(three(tokens, skipped).earlier), make(config)(tokens, 0).last,
                       1e-5, 1e-6));
    CHECK(at::equal(three(tokens, skipped).last, three(tokens, 0).last));
  }
}

TEST_CASE("more tokens than positions are refused") {
  CHECK_THROWS_AS(make(small(99))(at::zeros({1, 9}, at::kLong), 0), Error);
}

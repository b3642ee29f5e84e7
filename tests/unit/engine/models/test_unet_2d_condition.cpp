#include "catch.h"

#include <cstdint>
#include <stdexcept>
#include <string>

#include <ATen/ATen.h>

#include "known_configs.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/engine/models/component_tensors.h"
#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/recording_source.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/transformer_2d.h"

using namespace sdbench;
using namespace sdbench::testing;

namespace {

std::int64_t parameters(const UNetConfig& config) {
  RecordingSource source(at::kFloat);
  UNet2dCondition(Weights(source), config, Attention::kAuto);
  return byte_count(source.tensors()) / 4;
}

/// One call, of which nothing was computed before.
at::Tensor call(const UNet2dCondition& unet, const at::Tensor& sample, float timestep,
                const at::Tensor& context) {
  return unet(sample, unet.times(at::tensor({timestep}), sample.size(0), {}).front(),
              unet.text(context, TextForm::kStates));
}

} // namespace

TEST_CASE("the UNets have the published number of parameters") {
  CHECK(parameters(sd15_unet()) == 859'520'964);
  CHECK(parameters(sd21_unet()) == 865'910'724);
  CHECK(parameters(sdxl_unet()) == 2'567'463'684);
}

TEST_CASE("the UNet asks for its weights in checkpoint order") {
  RecordingSource source(at::kFloat);
  UNet2dCondition(Weights(source), sdxl_unet(), Attention::kAuto);
  std::vector<std::string> order; // first component of each name, without repetitions
  for (const TensorDeclaration& tensor : source.tensors()) {
    const std::string head = tensor.name.substr(0, tensor.name.find('.'));
    if (order.empty() || order.back() != head) {
      order.push_back(head);
    }
  }
  CHECK(order == std::vector<std::string>{"conv_in", "time_embedding", "add_embedding",
                                          "down_blocks", "up_blocks", "mid_block", "conv_norm_out",
                                          "conv_out"});
}

TEST_CASE("the UNet takes sizes that do not halve evenly, and every input counts") {
  SyntheticSource source(0, "unet", at::kFloat, at::kCPU);
  const UNet2dCondition unet(Weights(source), small_unet(), Attention::kAuto);
  at::manual_seed(0);
  const at::Tensor sample = at::randn({2, 4, 9, 13});
  const at::Tensor context = at::randn({2, 7, 24});
  const at::Tensor out = call(unet, sample, 500.0F, context);
  REQUIRE(out.sizes() == sample.sizes());
  CHECK(out.isfinite().all().item<bool>());
  CHECK_FALSE(at::allclose(out, call(unet, sample, 1.0F, context)));
  CHECK_FALSE(at::allclose(out, call(unet, sample, 500.0F, at::randn({2, 7, 24}))));
}

TEST_CASE("the attention kernel does not change what the UNet computes") {
  const auto run = [](Attention kernel) {
    SyntheticSource source(0, "unet", at::kFloat, at::kCPU);
    const UNet2dCondition unet(Weights(source), small_unet(), kernel);
    at::manual_seed(0);
    return call(unet, at::randn({2, 4, 8, 8}), 500.0F, at::randn({2, 7, 24}));
  };
  const at::Tensor wanted = run(Attention::kAuto);
  CHECK(at::allclose(run(Attention::kMath), wanted, 1e-3, 1e-4));
  CHECK(at::allclose(run(Attention::kSliced), wanted, 1e-3, 1e-4));
}

TEST_CASE("the keys and values of a text serve many calls, which do not look at it again") {
  SyntheticSource source(0, "unet", at::kFloat, at::kCPU);
  const UNet2dCondition unet(Weights(source), small_unet(), Attention::kAuto);
  at::manual_seed(0);
  const at::Tensor sample = at::randn({2, 4, 8, 8});
  const at::Tensor context = at::randn({2, 7, 24});
  const UNetTime time = unet.times(at::tensor({500.0F}), 2, {}).front();
  const UNetText states = unet.text(context, TextForm::kStates);
  const UNetText keys = unet.text(context, TextForm::kKeys);
  const at::Tensor wanted = unet(sample, time, states);
  CHECK(at::equal(unet(sample, time, keys), wanted));
  context.zero_();
  CHECK(at::equal(unet(sample, time, keys), wanted));
  CHECK_FALSE(at::allclose(unet(sample, time, states), wanted));
}

TEST_CASE("a sample looks at several texts as if it were given once for each") {
  SyntheticSource source(0, "unet", at::kFloat, at::kCPU);
  const UNet2dCondition unet(Weights(source), small_unet(), Attention::kAuto);
  at::manual_seed(0);
  const at::Tensor sample = at::randn({2, 4, 9, 13});
  const at::Tensor context = at::randn({4, 7, 24});
  const UNetTime time = unet.times(at::tensor({500.0F}), 1, {}).front();
  for (const TextForm form : {TextForm::kStates, TextForm::kKeys}) {
    for (const auto order : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
      const UNetText text = unet.text(context, form);
      const at::Tensor once = unet(sample.contiguous(order), time, text);
      const at::Tensor twice = unet(at::cat({sample, sample}).contiguous(order), time, text);
      REQUIRE(once.sizes() == twice.sizes());
      CHECK(once.is_contiguous(order));
      CHECK(at::allclose(once, twice, 1e-4, 1e-5));
      CHECK_FALSE(at::allclose(once.narrow(0, 0, 2), once.narrow(0, 2, 2)));
    }
  }
}

TEST_CASE("the time of many steps made at once is that of each, for one image or for all") {
  SyntheticSource source(0, "unet", at::kFloat, at::kCPU);
  const UNet2dCondition unet(Weights(source), small_unet(), Attention::kAuto);
  at::manual_seed(0);
  const at::Tensor sample = at::randn({2, 4, 8, 8});
  const at::Tensor context = at::randn({2, 7, 24});
  const UNetText text = unet.text(context, TextForm::kStates);
  const std::vector<float> timesteps{981.0F, 500.5F, 1.0F};
  for (const std::int64_t images : {1, 2}) {
    const UNetTimes times = unet.times(at::tensor(timesteps), images, {});
    REQUIRE(times.size() == 3);
    for (std::int64_t i = 0; i < times.size(); ++i) {
      const at::Tensor wanted = call(unet, sample, timesteps[static_cast<std::size_t>(i)], context);
      CHECK(at::allclose(unet(sample, times.at(i), text), wanted, 1e-4, 1e-5));
      CHECK_FALSE(at::allclose(unet(sample, times.at((i + 1) % times.size()), text), wanted));
    }
    CHECK_THROWS_AS(times.at(3), std::out_of_range);
    CHECK_THROWS_AS(times.at(-1), std::out_of_range);
  }
}

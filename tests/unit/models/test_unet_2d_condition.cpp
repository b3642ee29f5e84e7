#include "catch.h"

#include <ATen/ATen.h>

#include "known_configs.h"
#include "sdbench/models/unet_2d_condition.h"
#include "sdbench/nn/recording_source.h"
#include "sdbench/nn/synthetic_source.h"

using namespace sdbench;
using namespace sdbench::testing;

namespace {

std::int64_t parameters(const UNetConfig& config) {
  RecordingSource source(at::kFloat);
  UNet2dCondition(Weights(source), config, Attention::kAuto);
  return source.parameter_count();
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
  const at::Tensor out = unet(sample, at::scalar_tensor(500.0F), context, std::nullopt);
  REQUIRE(out.sizes() == sample.sizes());
  CHECK(out.isfinite().all().item<bool>());
  CHECK_FALSE(at::allclose(out, unet(sample, at::scalar_tensor(1.0F), context, std::nullopt)));
  CHECK_FALSE(at::allclose(
      out, unet(sample, at::scalar_tensor(500.0F), at::randn({2, 7, 24}), std::nullopt)));
}

TEST_CASE("the attention kernel does not change what the UNet computes") {
  const auto run = [](Attention kernel) {
    SyntheticSource source(0, "unet", at::kFloat, at::kCPU);
    const UNet2dCondition unet(Weights(source), small_unet(), kernel);
    at::manual_seed(0);
    return unet(at::randn({2, 4, 8, 8}), at::scalar_tensor(500.0F), at::randn({2, 7, 24}),
                std::nullopt);
  };
  const at::Tensor wanted = run(Attention::kAuto);
  CHECK(at::allclose(run(Attention::kMath), wanted, 1e-3, 1e-4));
  CHECK(at::allclose(run(Attention::kSliced), wanted, 1e-3, 1e-4));
}

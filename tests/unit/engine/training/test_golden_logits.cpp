#include "sdbench/engine/training/golden_logits.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <ATen/ATen.h>

#include "catch.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/weight_form.h"

using namespace sdbench;

namespace {

std::optional<double> error_of_logits(const ModelConfig& model, at::ScalarType dtype,
                                      std::uint64_t seed = 0, WeightForm form = {}) {
  FormedSource source(std::make_unique<SyntheticSource>(seed, "network", dtype, at::kCPU), form);
  const Classifier classifier = make_classifier(model.network.value(), Weights(source));
  return golden_logits_error(classifier, model, dtype, at::kCPU, share_folder() / "golden");
}

} // namespace

TEST_CASE("the networks compute torchvision's golden logits, plain and as fast as they can") {
  const WeightForm fast = {.memory_format = at::MemoryFormat::ChannelsLast,
                           .packing = can_pack(at::kCPU, at::kFloat, false) ? Packing::kOneDnn
                                                                            : Packing::kNone,
                           .fold_norms = true};
  for (const std::string& name : shipped_model_names()) {
    const ModelConfig model = find_model_config(name);
    if (!model.network) {
      continue;
    }
    CAPTURE(name);
    for (const WeightForm& form : {WeightForm{}, fast}) {
      CHECK(error_of_logits(model, at::kFloat, 0, form).value() <= 1e-4);
    }
  }
}

TEST_CASE("other weights than the golden ones miss the golden logits") {
  CHECK(error_of_logits(find_model_config("tiny-resnet"), at::kFloat, 1).value() > 0.1);
}

TEST_CASE("a network of another architecture has no golden logits") {
  ModelConfig other = find_model_config("tiny-resnet");
  other.source["network"]["classes"] = 11;
  CHECK_FALSE(error_of_logits(other, at::kFloat).has_value());
}

TEST_CASE("synthetic images have mean 0 and deviation 1, and are the same in any batch") {
  const NetworkConfig network = find_model_config("cnn10").network.value();
  const at::Tensor images = synthetic_images(network, 8, 0, at::kFloat, at::kCPU);
  CHECK(images.sizes() == at::IntArrayRef({8, 3, 32, 32}));
  CHECK(std::abs(images.mean().item<double>()) < 0.05);
  CHECK(images.std().item<double>() == Approx(1).epsilon(0.02));
  CHECK(at::equal(synthetic_images(network, 2, 0, at::kFloat, at::kCPU), images.narrow(0, 0, 2)));
  CHECK_FALSE(at::equal(synthetic_images(network, 8, 1, at::kFloat, at::kCPU), images));
}

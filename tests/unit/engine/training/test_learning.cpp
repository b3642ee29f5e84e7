#include <cstdint>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "catch.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/dataset/synthetic_dataset.h"
#include "sdbench/engine/models/classifier.h"
#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/training/batch_loader.h"
#include "sdbench/engine/training/sgd.h"
#include "worker_threads.h"

using namespace sdbench;

namespace {

/// Of the test images that a network classifies rightly, after so many batches of 16 by that
/// learning rate.
double accuracy_after(std::int64_t batches, double learning_rate, const char* model) {
  test::keep_threads();
  const Dataset data = synthetic_dataset(512);
  SyntheticSource weights{0, "network", at::kFloat, at::kCPU};
  const Classifier network =
      make_classifier(find_model_config(model).network.value(), Weights(weights), Gradients::kYes);
  BatchLoader loader(data, Split::kTrain, {.batch = 16});
  Sgd sgd(network.parameters(), learning_rate, 0.9);
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    const Batch images = loader.next();
    at::cross_entropy_loss(network(images.images, Mode::kTrain), images.labels).backward();
    sgd.step();
    drop_gradients(network.parameters());
  }
  const c10::InferenceMode inference;
  const Batch tested = BatchLoader(data, Split::kTest, {.batch = data.test.count}).next();
  const at::Tensor right = network(tested.images, Mode::kInfer).argmax(1) == tested.labels;
  return right.to(at::kDouble).mean().item<double>();
}

} // namespace

TEST_CASE("a network learns the synthetic images, and by a learning rate of zero it does not") {
  CHECK(accuracy_after(96, 0.02, "tiny-wrn") > 0.9);
  CHECK(accuracy_after(32, 0, "tiny-wrn") < 0.3); // a tenth is right by chance
  CHECK(accuracy_after(8, 0, "cnn10") < 0.3);
}

#include "sdbench/engine/distributed/data_parallel.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "catch.h"
#include "devices_in_threads.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/device_meeting.h"
#include "sdbench/base/numbers/even_part.h"
#include "sdbench/engine/models/classifier.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/training/golden_logits.h"
#include "sdbench/engine/training/sgd.h"
#include "worker_threads.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::on_devices;

namespace {

constexpr std::int64_t kImages = 5; // that two devices do not share evenly
constexpr int kSteps = 3;
constexpr double kRate = 0.05;
constexpr double kMomentum = 0.9;

const NetworkConfig& config() {
  static const ModelConfig model = find_model_config("tiny-resnet");
  return model.network.value();
}

Classifier new_network(std::uint64_t seed) {
  test::keep_threads();
  SyntheticSource source(seed, "network", at::kFloat, at::kCPU);
  return make_classifier(config(), Weights(source), Gradients::kYes);
}

std::vector<at::Tensor> parameters_of(const Classifier& network) {
  std::vector<at::Tensor> parameters;
  for (const NamedTensor& parameter : network.parameters()) {
    parameters.push_back(parameter.tensor);
  }
  return parameters;
}

/// All parameters in a row.
at::Tensor values_of(const Classifier& network) {
  std::vector<at::Tensor> rows;
  for (const NamedTensor& parameter : network.parameters()) {
    rows.push_back(parameter.tensor.detach().flatten().clone());
  }
  return at::cat(rows);
}

/// The summand of the loss of a batch that its images in `part` give.
at::Tensor loss_of(const Classifier& network, EvenPart part) {
  const at::Tensor images = synthetic_images(config(), kImages, 7, at::kFloat, at::kCPU)
                                .narrow(0, part.first, part.count);
  const at::Tensor labels =
      at::arange(part.first, part.first + part.count, at::TensorOptions(at::kLong));
  const at::Tensor mean = at::cross_entropy_loss(network(images, Mode::kTrain), labels);
  return mean * (static_cast<double>(part.count) / static_cast<double>(kImages));
}

/// A device that computes all parts and adds up their gradients.
at::Tensor trained_alone(std::int64_t parts) {
  const Classifier network = new_network(0);
  Sgd optimizer(network.parameters(), kRate, kMomentum);
  for (int step = 0; step < kSteps; ++step) {
    for (std::int64_t part = 0; part < parts; ++part) {
      loss_of(network, even_part(kImages, part, parts)).backward();
    }
    optimizer.step();
    drop_gradients(network.parameters());
  }
  return values_of(network);
}

} // namespace

TEST_CASE("devices train as one that computes all parts of each batch and adds up the gradients") {
  for (const std::int64_t count : {2, 3}) {
    const test::ScratchFolder folder;
    std::vector<at::Tensor> values(static_cast<std::size_t>(count));
    std::vector<int> computed(static_cast<std::size_t>(count));
    on_devices(count, folder.path(), [&](const DevicePlace& place) {
      const auto number = static_cast<std::size_t>(place.number);
      // All but the first have other weights, and take the first one's.
      const Classifier network = new_network(number);
      DataParallel others(place, parameters_of(network));
      Sgd optimizer(network.parameters(), kRate, kMomentum);
      for (int step = 0; step < kSteps; ++step) {
        others.prepare();
        others.backward(loss_of(network, even_part(kImages, place.number, count)),
                        [&] { ++computed[number]; });
        optimizer.step();
        drop_gradients(network.parameters());
      }
      values[number] = values_of(network);
    });
    const at::Tensor expected = trained_alone(count);
    const double difference = (values[0] - expected).abs().max().item<double>();
    CHECK(difference < 1e-6 * expected.abs().max().item<double>());
    CHECK((expected - values_of(new_network(0))).abs().max().item<double>() >
          1e-3); // it was trained
    for (std::size_t device = 0; device < values.size(); ++device) {
      CHECK(at::equal(values[device], values[0]));
      CHECK(computed[device] == kSteps);
    }
  }
}

TEST_CASE("sums over devices are right in each format, also of more than is shared at once") {
  constexpr std::int64_t kNumbers = 3'000'001;
  for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
    const test::ScratchFolder folder;
    std::vector<int> right(3);
    on_devices(3, folder.path(), [&](const DevicePlace& place) {
      const Classifier network = new_network(0);
      DataParallel others(place, parameters_of(network));
      const at::Tensor own = at::arange(kNumbers).remainder(7).to(type);
      at::Tensor values = own + place.number;
      others.add_up(values);
      right[static_cast<std::size_t>(place.number)] = at::equal(values, own * 3 + 3) ? 1 : 0;
    });
    CHECK(right == std::vector<int>{1, 1, 1});
  }
}

TEST_CASE("sums of other numbers are refused in words") {
  const test::ScratchFolder folder;
  CHECK_THROWS_WITH(on_devices(2, folder.path(),
                               [&](const DevicePlace& place) {
                                 const Classifier network = new_network(0);
                                 DataParallel others(place, parameters_of(network));
                                 at::Tensor values = at::ones({3}, at::kDouble);
                                 others.add_up(values);
                               }),
                    ContainsSubstring("must be of fp32, fp16 or bf16"));
}

TEST_CASE("a device that never comes is no longer waited for when it has ended") {
  const test::ScratchFolder folder;
  tell_ended(folder.path(), 1);
  const Classifier network = new_network(0);
  CHECK_THROWS_WITH(DataParallel({{"cpu:0", "cpu:1"}, 0, folder.path()}, parameters_of(network)),
                    "all devices must train together, but cpu:1 has ended; its row says why");
}

TEST_CASE("a device that ends between two iterations ends the other's next sum at once") {
  const test::ScratchFolder folder;
  std::string error;
  std::chrono::steady_clock::duration waited{};
  on_devices(2, folder.path(), [&](const DevicePlace& place) {
    const Classifier network = new_network(0);
    DataParallel others(place, parameters_of(network));
    const auto iterate = [&] {
      others.prepare();
      others.backward(loss_of(network, even_part(kImages, place.number, 2)), [] {});
      drop_gradients(network.parameters());
    };
    iterate();
    if (place.number == 1) {
      tell_ended(folder.path(), 1);
      return;
    }
    const auto start = std::chrono::steady_clock::now();
    try {
      iterate();
    } catch (const Error& failure) {
      error = failure.what();
    }
    waited = std::chrono::steady_clock::now() - start;
  });
  CHECK(error == "all devices must train together, but cpu:1 has ended; its row says why");
  CHECK(waited < std::chrono::seconds(10));
}

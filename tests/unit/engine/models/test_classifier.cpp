#include "sdbench/engine/models/classifier.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/engine/models/component_tensors.h"
#include "sdbench/engine/nn/checkpoint_source.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/nn/synthetic.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/weight_form.h"
#include "worker_threads.h"

using namespace sdbench;

// Values are compared with torchvision in tests/parity; here are the keys and the properties.

namespace {

constexpr const char* kTiny[] = {"tiny-vgg", "tiny-resnet", "tiny-densenet", "tiny-cnn",
                                 "tiny-wrn"};

NetworkConfig network(const char* name) {
  return find_model_config(name).network.value();
}

Classifier synthetic_classifier(const char* name, Gradients gradients) {
  SyntheticSource source(0, "network", at::kFloat, at::kCPU);
  return make_classifier(network(name), Weights(source), gradients);
}

at::Tensor two_images(const char* name) {
  const NetworkConfig config = network(name);
  at::manual_seed(5);
  return at::randn({2, config.input_channels, config.image_size, config.image_size});
}

std::vector<std::string> tensor_names(const char* model) {
  std::vector<std::string> names;
  for (const TensorDeclaration& tensor : component_tensors(
           find_model_config(model), Component::kNetwork, Dtype::kF32, VaeParts::kWhole)) {
    names.push_back(tensor.name);
  }
  return names;
}

double relative_error(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).abs().max() / b.abs().max()).item<double>();
}

} // namespace

TEST_CASE("a network asks for its tensors by torchvision's names") {
  const std::vector<std::string> vgg = tensor_names("vgg16");
  CHECK(vgg.front() == "features.0.weight");
  CHECK(std::ranges::find(vgg, "features.28.bias") != vgg.end());
  CHECK(vgg.back() == "classifier.6.bias");
  CHECK(vgg.size() == 32);
  const std::vector<std::string> tiny = tensor_names("tiny-resnet");
  CHECK(std::vector(tiny.begin(), tiny.begin() + 6) ==
        std::vector<std::string>{"conv1.weight", "bn1.weight", "bn1.bias", "bn1.running_mean",
                                 "bn1.running_var", "layer1.0.conv1.weight"});
  CHECK(std::ranges::find(tiny, "layer2.0.downsample.1.running_var") != tiny.end());
  CHECK(std::ranges::find(tiny, "layer1.1.downsample.0.weight") == tiny.end());
}

TEST_CASE("a classifier's parameters are leaves of autograd, running statistics are none of them") {
  test::keep_threads();
  for (const char* name : kTiny) {
    CAPTURE(name);
    const Classifier classifier = synthetic_classifier(name, Gradients::kYes);
    double count = 0;
    for (const NamedTensor& parameter : classifier.parameters()) {
      CHECK(parameter.tensor.is_leaf());
      CHECK(parameter.tensor.requires_grad());
      CHECK(parameter.name.find("running") == std::string::npos);
      count += static_cast<double>(parameter.tensor.numel());
    }
    CHECK(count == network_parameters(network(name)));
    const at::Tensor logits = classifier(two_images(name), Mode::kTrain);
    CHECK(logits.sizes() == at::IntArrayRef({2, 10}));
    at::cross_entropy_loss(logits, at::tensor({3, 7}, at::kLong)).backward();
    for (const NamedTensor& parameter : classifier.parameters()) {
      CAPTURE(parameter.name);
      CHECK(parameter.tensor.grad().defined());
    }
  }
}

TEST_CASE("a classifier without gradients has no parameters, and autograd records nothing") {
  const Classifier classifier = synthetic_classifier("tiny-resnet", Gradients::kNo);
  CHECK(classifier.parameters().empty());
  CHECK_FALSE(classifier(two_images("tiny-resnet"), Mode::kInfer).requires_grad());
}

TEST_CASE("training moves the running statistics, inference does not") {
  for (const char* name : kTiny) {
    if (network(name).kind == NetworkKind::kVgg) {
      continue; // has none
    }
    CAPTURE(name);
    const at::NoGradGuard no_gradients;
    const Classifier classifier = synthetic_classifier(name, Gradients::kYes);
    const at::Tensor images = two_images(name);
    const at::Tensor first = classifier(images, Mode::kInfer);
    CHECK(at::equal(classifier(images, Mode::kInfer), first));
    static_cast<void>(classifier(images, Mode::kTrain));
    CHECK_FALSE(at::allclose(classifier(images, Mode::kInfer), first, 1e-3, 1e-3));
  }
}

TEST_CASE("training writes into nothing that it was loaded from") {
  const test::ScratchFolder folder;
  const std::filesystem::path file = folder.path() / "model.safetensors";
  const ModelConfig model = find_model_config("tiny-resnet");
  const auto tensors = component_tensors(model, Component::kNetwork, Dtype::kF32, VaeParts::kWhole);
  write_safetensors(file, tensors, [&](std::size_t index, std::span<std::byte> out) {
    fill_synthetic(0, "network", tensors[index].name, tensors[index].shape, Dtype::kF32, out);
  });
  CheckpointSource source(open_component(file, Component::kNetwork), "network", at::kFloat,
                          at::kCPU);
  const Classifier classifier = make_classifier(*model.network, Weights(source), Gradients::kYes);
  source.finish();
  const at::Tensor mapped = source.take("bn1.running_mean", {16});
  const at::Tensor before = mapped.clone();
  static_cast<void>(classifier(two_images("tiny-resnet"), Mode::kTrain)); // else a crash
  CHECK(at::equal(mapped, before));
}

TEST_CASE("a packed network computes what the plain one does") {
  const at::NoGradGuard no_gradients;
  for (const char* name : kTiny) {
    const at::Tensor images = two_images(name);
    const at::Tensor expected = synthetic_classifier(name, Gradients::kNo)(images, Mode::kInfer);
    for (const Packing packing : {Packing::kNone, Packing::kOneDnn, Packing::kWinograd}) {
      if (!can_pack(at::kCPU, at::kFloat, false)) {
        continue; // no oneDNN in this libtorch
      }
      CAPTURE(name, static_cast<int>(packing));
      FormedSource source(std::make_unique<SyntheticSource>(0, "network", at::kFloat, at::kCPU),
                          {.memory_format = at::MemoryFormat::ChannelsLast, .packing = packing});
      const Classifier packed = make_classifier(network(name), Weights(source));
      const at::Tensor ours =
          packed(images.contiguous(at::MemoryFormat::ChannelsLast), Mode::kInfer);
      CHECK(relative_error(ours, expected) < 1e-5);
    }
  }
}

TEST_CASE("a network whose norms are folded computes what the plain one does, in no other dtype") {
  const at::NoGradGuard no_gradients;
  for (const char* name : kTiny) {
    const at::Tensor images = two_images(name);
    const at::Tensor expected = synthetic_classifier(name, Gradients::kNo)(images, Mode::kInfer);
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
      for (const Packing packing : {Packing::kNone, Packing::kOneDnn, Packing::kWinograd}) {
        if (packing != Packing::kNone && !can_pack(at::kCPU, dtype, false)) {
          continue;
        }
        CAPTURE(name, at::toString(dtype), static_cast<int>(packing));
        FormedSource source(std::make_unique<SyntheticSource>(0, "network", dtype, at::kCPU),
                            {.memory_format = at::MemoryFormat::ChannelsLast,
                             .packing = packing,
                             .fold_norms = true});
        const Classifier folded = make_classifier(network(name), Weights(source));
        const at::Tensor ours =
            folded(images.to(dtype, false, false, at::MemoryFormat::ChannelsLast), Mode::kInfer);
        CHECK(ours.scalar_type() == dtype);
        CHECK(relative_error(ours.to(at::kFloat), expected) < (dtype == at::kFloat ? 1e-5 : 0.05));
      }
    }
  }
}

TEST_CASE("with gradients no norm is folded, for training moves its values") {
  FormedSource source(std::make_unique<SyntheticSource>(0, "network", at::kFloat, at::kCPU),
                      {.fold_norms = true});
  const Classifier classifier =
      make_classifier(network("tiny-resnet"), Weights(source), Gradients::kYes);
  CHECK(std::ranges::any_of(classifier.parameters(), [](const NamedTensor& parameter) {
    return parameter.name == "bn1.weight";
  }));
}

TEST_CASE("dropout acts in training only") {
  const at::NoGradGuard no_gradients;
  const Classifier classifier = synthetic_classifier("tiny-vgg", Gradients::kNo);
  const at::Tensor images = two_images("tiny-vgg");
  CHECK(at::equal(classifier(images, Mode::kInfer), classifier(images, Mode::kInfer)));
  CHECK_FALSE(at::equal(classifier(images, Mode::kTrain), classifier(images, Mode::kTrain)));
}

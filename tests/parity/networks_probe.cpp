// Runs a network for test_networks.py.
//   networks_probe FOLDER IN.safetensors OUT.safetensors
// FOLDER: what export-weights writes of a network. IN: tensors "images" [N, C, H, W] in fp32 and
// "labels" [N], and the metadata "request": mode ("infer" or "train"), seed (of dropout), batch,
// steps, learning_rate, momentum. OUT:
//   infer: logits;
//   train without steps: logits and loss of all images as one batch, gradient.NAME of every
//   parameter, and logits_after: in inference, by the running statistics that this left;
//   train with steps: losses, one a batch, parameter.NAME and logits_after of the last batch.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/base/weights/tensor_view.h"
#include "sdbench/engine/models/classifier.h"
#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/checkpoint_source.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/training/golden_logits.h"
#include "sdbench/engine/training/sgd.h"

namespace {

using namespace sdbench;

using Outputs = std::vector<std::pair<std::string, at::Tensor>>;

at::Tensor tensor_of(const SafetensorsFile& file, const char* name) {
  const TensorView& view = file.tensors().at(name);
  at::Tensor tensor = at::empty(view.shape, to_scalar_type(view.dtype));
  std::memcpy(tensor.data_ptr(), view.data.data(), view.data.size());
  return tensor;
}

Classifier load(const ModelConfig& model, const std::string& folder, Gradients gradients) {
  CheckpointSource source(open_component(folder + "/model.safetensors", Component::kNetwork),
                          folder_name(Component::kNetwork), at::kFloat, at::kCPU);
  Classifier classifier = make_classifier(model.network.value(), Weights(source), gradients);
  source.finish();
  return classifier;
}

at::Tensor in_inference(const Classifier& classifier, const at::Tensor& images) {
  const at::NoGradGuard no_gradients;
  return classifier(images, Mode::kInfer);
}

Outputs one_step(const Classifier& classifier, const at::Tensor& images, const at::Tensor& labels) {
  const at::Tensor logits = classifier(images, Mode::kTrain);
  const at::Tensor loss = at::cross_entropy_loss(logits, labels);
  loss.backward();
  Outputs out{{"logits", logits.detach()}, {"loss", loss.detach()}};
  for (const NamedTensor& parameter : classifier.parameters()) {
    out.emplace_back("gradient." + parameter.name, parameter.tensor.grad());
  }
  out.emplace_back("logits_after", in_inference(classifier, images));
  return out;
}

Outputs steps(const Classifier& classifier, const Json& request, const at::Tensor& images,
              const at::Tensor& labels) {
  Sgd sgd(classifier.parameters(), request.at("learning_rate"), request.at("momentum"));
  const std::int64_t batch = request.at("batch");
  std::vector<at::Tensor> losses;
  at::Tensor last;
  for (std::int64_t step = 0; step < request.at("steps"); ++step) {
    last = images.narrow(0, step * batch, batch);
    drop_gradients(classifier.parameters());
    const at::Tensor loss = at::cross_entropy_loss(classifier(last, Mode::kTrain),
                                                   labels.narrow(0, step * batch, batch));
    loss.backward();
    sgd.step();
    losses.push_back(loss.detach());
  }
  Outputs out{{"losses", at::stack(losses)}};
  for (const NamedTensor& parameter : classifier.parameters()) {
    out.emplace_back("parameter." + parameter.name, parameter.tensor.detach());
  }
  out.emplace_back("logits_after", in_inference(classifier, last));
  return out;
}

Outputs run(const std::string& folder, const SafetensorsFile& in) {
  const Json request = Json::parse(in.metadata().at("request"));
  const ModelConfig model = load_model_config_file(folder + "/architecture.json");
  const at::Tensor images = tensor_of(in, "images");
  if (request.at("mode") == "infer") {
    const Classifier classifier = load(model, folder, Gradients::kNo);
    return {{"logits", in_inference(classifier, images)},
            {"synthetic", synthetic_images(*model.network, 2, 0, at::kFloat, at::kCPU)}};
  }
  const Classifier classifier = load(model, folder, Gradients::kYes);
  at::manual_seed(request.at("seed"));
  const at::Tensor labels = tensor_of(in, "labels");
  return request.at("steps") == 0 ? one_step(classifier, images, labels)
                                  : steps(classifier, request, images, labels);
}

void write(const std::string& path, const Outputs& named) {
  std::vector<at::Tensor> tensors;
  std::vector<TensorDeclaration> declarations;
  for (const auto& [name, tensor] : named) {
    tensors.push_back(tensor.contiguous());
    declarations.push_back({name, to_dtype(tensor.scalar_type()), tensor.sizes().vec()});
  }
  write_safetensors(path, declarations, [&](std::size_t index, std::span<std::byte> bytes) {
    std::memcpy(bytes.data(), tensors[index].const_data_ptr(), bytes.size());
  });
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: networks_probe FOLDER IN.safetensors OUT.safetensors\n");
    return 2;
  }
  try {
    write(argv[3], run(argv[1], SafetensorsFile(argv[2])));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "networks_probe: %s\n", error.what());
    return 1;
  }
  return 0;
}

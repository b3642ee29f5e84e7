// What the constructors ask for, and the synthetic weights, for the Python tests:
//   weights_probe list MODEL                      → {"unet": {"conv_in.weight": [320, 4, 3, 3], …},
//   …} weights_probe export MODEL SEED DTYPE FOLDER  → a diffusers folder
// MODEL: a shipped name, an architecture file or a folder of configs.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "golden_result.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/engine/models/component_tensors.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/pipeline/golden.h"
#include "sdbench/engine/worker/export_weights.h"

namespace {

using namespace sdbench;

Json list(const ModelConfig& model) {
  Json components;
  for (const Component component : components_of(model)) {
    Json& tensors = components[folder_name(component)];
    for (const TensorDeclaration& tensor :
         component_tensors(model, component, Dtype::kF32, VaeParts::kWhole)) {
      tensors[tensor.name] = tensor.shape;
    }
  }
  return components;
}

Json golden(const ModelConfig& model, Dtype dtype) {
  const GoldenResult result = testing::golden_result(model, to_scalar_type(dtype));
  return {{"check", result.check},
          {"rel_err", result.rel_err.value_or(-1)},
          {"message", result.message}};
}

} // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  try {
    if (what == "list" && argc == 3) {
      std::cout << list(find_model_config(argv[2])) << '\n';
    } else if (what == "export" && argc == 6) {
      export_weights({find_model_config(argv[2]), std::stoull(argv[3]),
                      compute_dtype_from_name(argv[4]).value(), argv[5]});
    } else if (what == "golden" && argc == 4) {
      std::cout << golden(find_model_config(argv[2]), compute_dtype_from_name(argv[3]).value())
                << '\n';
    } else {
      std::fputs(
          "usage: weights_probe list MODEL | export MODEL SEED DTYPE FOLDER | golden MODEL DTYPE\n",
          stderr);
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

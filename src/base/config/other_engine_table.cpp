#include "sdbench/base/config/other_engine_table.h"

#include <algorithm>
#include <cstdint>

#include "sdbench/base/numbers/number_text.h"

// The only table of external engines. A new engine needs a row here and a file in engines/kinds/.
// Its Python worker reads the row in engines/generated_table.json, which a test writes from this
// table.

namespace sdbench {
namespace {

/// Packages around an engine that run the pipeline. Pinned like torch, so that rows of two machines
/// are of the same programs. Python 3.10 (Ubuntu 22.04) gets the last versions for it.
std::vector<std::string> with_pipeline(std::vector<std::string> packages) {
  packages.insert(
      packages.end(),
      {"diffusers==0.42.1; python_version>='3.11'", "diffusers==0.41.0; python_version<'3.11'",
       "transformers==5.23.0; python_version>='3.11'",
       "transformers==5.20.2; python_version<'3.11'", "accelerate==1.15.0", "safetensors==0.8.0",
       "pillow==13.0.0; python_version>='3.11'", "pillow==12.3.0; python_version<'3.11'",
       "numpy==2.4.6; python_version>='3.11'", "numpy==2.2.6; python_version<'3.11'"});
  return packages;
}

std::vector<EngineRow> make_table() {
  const std::vector<std::string> of_torch = {"fp32", "bf16", "fp16", "autocast-fp16",
                                             "autocast-bf16"};
  return {
      {.name = "pytorch",
       .words = "diffusers and torchvision, eager",
       .environment = "pytorch",
       .program = "torch",
       .packages = with_pipeline({"torchvision==X"}),
       .disk_gb = 1,
       .dtypes = {{DeviceKind::kCpu, of_torch}, {DeviceKind::kCuda, of_torch}},
       .oldest_compute_capability = 50,
       .any_size = true,
       .networks = true,
       .axes = {{"attention", {"auto", "math", "sliced", "sdpa", "xformers"}},
                {"memory_format", {}},
                {"tf32", {}},
                {"cudnn_benchmark", {}},
                {"vae_tiling", {}}}},
      {.name = "pytorch-compile",
       .words = "the same by torch.compile",
       .environment = "pytorch",
       .program = "torch",
       .packages = with_pipeline({"torchvision==X"}),
       .disk_gb = 1,
       .dtypes = {{DeviceKind::kCpu, of_torch}, {DeviceKind::kCuda, of_torch}},
       .oldest_compute_capability = 70, // Triton's
       .networks = true,
       .axes =
           {{"memory_format", {}}, {"tf32", {}}, {"cudnn_benchmark", {}}, {"dynamic_shapes", {}}}},
      {.name = "onnxruntime",
       .words = "UNet, VAE and text encoders as ONNX",
       .environment = "onnxruntime",
       .program = "onnxruntime",
       .packages = with_pipeline({"onnxruntime==1.32.0; python_version>='3.11'",
                                  "onnxruntime==1.23.2; python_version<'3.11'", "onnx==1.23.2",
                                  "onnxscript==0.7.2"}),
       .gpu_environment = "onnxruntime-gpu", // the two packages overwrite each other
       .gpu_packages =
           with_pipeline({"onnxruntime-gpu==1.31.1 @cu13", // for Python 3.11 or newer only
                          "onnxruntime-gpu==1.23.2 @cu12", "onnx==1.23.2", "onnxscript==0.7.2"}),
       .disk_gb = 2,
       .kept_bytes_per_weight = 4,
       .dtypes = {{DeviceKind::kCpu, {"fp32"}}, {DeviceKind::kCuda, {"fp32", "fp16"}}},
       .oldest_compute_capability = 60, // of 1.23 for CUDA 12; CUDA 13 itself starts at 7.5
       .axes = {{"tf32", {"off", "on"}}, {"dynamic_shapes", {}}}},
      {.name = "openvino",
       .words = "UNet, VAE and text encoders by OpenVINO",
       .environment = "openvino",
       .program = "openvino",
       .packages = with_pipeline({"openvino==2026.4.1"}),
       .disk_gb = 1.5,
       .kept_bytes_per_weight = 4, // it always converts in fp32
       .dtypes = {{DeviceKind::kCpu, {"fp32", "bf16"}}, {DeviceKind::kIntel, {"fp32", "fp16"}}},
       .axes = {{"dynamic_shapes", {}}}},
      {.name = "tensorrt",
       .words = "UNet, VAE and text encoders by TensorRT",
       .environment = "tensorrt",
       .program = "tensorrt",
       .packages = with_pipeline({"tensorrt-cuX==10.16.1.11", "onnx==1.23.2"}),
       .disk_gb = 8,
       .kept_bytes_per_weight = 4, // at most: an engine holds its weights in its dtype
       .is_tuned = true,
       .dtypes = {{DeviceKind::kCuda, {"fp32", "bf16", "fp16"}}},
       .oldest_compute_capability = 75, // TensorRT 10 starts with Turing
       .axes = {{"tf32", {"off", "on"}}, {"dynamic_shapes", {}}}},
  };
}

} // namespace

std::span<const EngineRow> other_engine_table() {
  static const std::vector<EngineRow> table = make_table();
  return table;
}

const std::vector<std::string>& dtypes_on(const EngineRow& row, DeviceKind kind) {
  static const std::vector<std::string> none;
  const auto found = row.dtypes.find(kind);
  return found == row.dtypes.end() ? none : found->second;
}

bool runs_on(const EngineRow& row, std::optional<DeviceKind> kind,
             std::string_view compute_capability) {
  if (!kind || dtypes_on(row, *kind).empty()) {
    return false;
  }
  std::string digits(compute_capability); // none: a kind without them, or its worker will say
  std::erase(digits, '.');
  const std::optional<std::int64_t> capability = parse_integer(digits);
  return capability.value_or(row.oldest_compute_capability) >= row.oldest_compute_capability;
}

const EngineRow* find_engine_row(std::string_view name) {
  const auto table = other_engine_table();
  const auto found = std::ranges::find(table, name, &EngineRow::name);
  return found == table.end() ? nullptr : &*found;
}

const EngineTableAxis* find_axis(const EngineRow& row, std::string_view axis) {
  const auto found = std::ranges::find(row.axes, axis, &EngineTableAxis::name);
  return found == row.axes.end() ? nullptr : &*found;
}

} // namespace sdbench

#include "sdbench/engine/worker/export_weights.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/files/atomic_folder.h"
#include "sdbench/base/files/free_space.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/engine/models/component_tensors.h"
#include "sdbench/engine/nn/synthetic.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/tokenizer/tokenizer_files.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;
using messages::ExportRequest;

const char* torch_name(Dtype dtype) {
  switch (dtype) {
  case Dtype::kF16:
    return "float16";
  case Dtype::kBF16:
    return "bfloat16";
  default:
    return "float32";
  }
}

void write_json(const fs::path& file, const Json& json) {
  write_file_atomically(file, json_text(json, 2) + "\n");
}

fs::path make_folder(const fs::path& parent, const std::string& name) {
  fs::create_directory(parent / name);
  return parent / name;
}

/// The pipeline's index without the parts that are not exported (safety checker, feature
/// extractor).
Json model_index(const Json& source) {
  Json index = source.at("pipeline");
  for (auto& [key, value] : index.items()) {
    if (value.is_array() && !source.contains(key)) {
      value = Json::array({nullptr, nullptr});
    }
  }
  if (index.contains("safety_checker")) {
    index["requires_safety_checker"] = false;
  }
  return index;
}

Json component_config(const ExportRequest& request, Component component) {
  Json config = request.model.source.at(folder_name(component));
  if (component_row(component).role ==
      ComponentRole::kText) { // transformers loads in the dtype that the config names
    config.erase("dtype");
    config["torch_dtype"] = torch_name(request.dtype);
  }
  return config;
}

void write_tensors(const ExportRequest& request, Component component, const fs::path& file,
                   const std::atomic<bool>* stop) {
  const std::string name = folder_name(component);
  const auto tensors = component_tensors(request.model, component, request.dtype, VaeParts::kWhole);
  const auto fill = [&](std::size_t index, std::span<std::byte> out) {
    if (stop != nullptr && stop->load()) {
      throw CellFailure(Status::kInterrupted,
                        "interrupted: nothing is written to " + request.folder);
    }
    const TensorDeclaration& tensor = tensors[index];
    fill_synthetic(request.seed, name, tensor.name, tensor.shape, tensor.dtype, out,
                   in_parts_by_libtorch);
  };
  write_safetensors(file, tensors, fill,
                    {{"format", "pt"},
                     {"architecture", architecture_id(request.model)},
                     {"weights", std::string("synthetic:").append(std::to_string(request.seed))}});
}

void write_component(const ExportRequest& request, Component component, const fs::path& root,
                     const std::atomic<bool>* stop) {
  const fs::path folder = make_folder(root, folder_name(component));
  write_json(folder / "config.json", component_config(request, component));
  const std::string file = component_row(component).weights;
  write_tensors(request, component, folder / (file + ".safetensors"), stop);
}

/// Writes a diffusers folder.
void write_pipeline(const ExportRequest& request, const fs::path& folder,
                    const std::atomic<bool>* stop) {
  const ModelConfig& model = request.model;
  write_json(folder / "model_index.json", model_index(model.source));
  write_json(make_folder(folder, "scheduler") / "scheduler_config.json",
             model.source.at("scheduler"));
  for (const TextEncoderConfig& encoder : model.text_encoders) {
    const char* const name = component_row(encoder.component).tokenizer;
    write_tokenizer_files(make_folder(folder, name), encoder.tokenizer, model.source.at(name));
  }
  for (const Component component : components_of(model)) {
    write_component(request, component, folder, stop);
  }
}

/// Writes a folder that --model and --weights can read.
void write_network(const ExportRequest& request, const fs::path& folder,
                   const std::atomic<bool>* stop) {
  write_json(folder / "architecture.json", request.model.source);
  write_tensors(request, Component::kNetwork, folder / "model.safetensors", stop);
}

void check_room(const ExportRequest& request, const fs::path& folder) {
  std::int64_t needed = 0;
  for (const Component component : components_of(request.model)) {
    needed +=
        byte_count(component_tensors(request.model, component, request.dtype, VaeParts::kWhole));
  }
  const auto available = free_space(folder);
  if (available && needed > *available) {
    throw Error("disk of " + request.folder + " must have " + bytes_text(needed) +
                " free, but has " + bytes_text(*available) +
                "; choose another folder, or --dtype fp16");
  }
}

} // namespace

void export_weights(const ExportRequest& request, const std::atomic<bool>* stop) {
  AtomicFolder folder(request.folder);
  check_room(request, folder.path());
  try {
    (request.model.network ? write_network : write_pipeline)(request, folder.path(), stop);
  } catch (const fs::filesystem_error& error) {
    throw Error("folder " + request.folder +
                " must be writable, but the system says: " + error.code().message());
  }
  folder.commit();
}

} // namespace sdbench

#include "sdbench/base/plan/resolve_model.h"

#include <optional>
#include <system_error>

#include "sdbench/base/config/merge_list.h"
#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/system/from_environment.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/single_file.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

bool holds_weights(const fs::path& folder) {
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder / "unet", missing)) {
    if (file_ending(entry.path()) == ".safetensors") {
      return true;
    }
  }
  return false;
}

/// True if everything that the weights depend on is equal; the native size may differ.
bool same_structure(const UNetConfig& a, const UNetConfig& b) {
  return a.block_out_channels == b.block_out_channels &&
         a.down_block_has_attention == b.down_block_has_attention &&
         a.layers_per_block == b.layers_per_block &&
         a.down_transformer_layers == b.down_transformer_layers &&
         a.up_transformer_layers == b.up_transformer_layers && a.mid_block == b.mid_block &&
         a.mid_transformer_layers == b.mid_transformer_layers &&
         a.time_cond_proj_dim == b.time_cond_proj_dim &&
         a.cross_attention_dims == b.cross_attention_dims;
}

/// The same architecture with another "scheduler" in its source; the defaults stay.
ModelConfig with_scheduler(const ModelConfig& model, Json scheduler) {
  Json source = model.source;
  source["scheduler"] = std::move(scheduler);
  ModelConfig changed = parse_model_config(source, model.name);
  changed.name = model.name;
  changed.defaults = model.defaults;
  changed.text_encoders = model.text_encoders; // with their tokenizers' folders
  return changed;
}

/// A file's markers override its architecture's usual values.
ModelConfig with_markers(const ModelConfig& model, const SingleFileMarkers& markers) {
  if (!markers.v_prediction && !markers.zero_terminal_snr) {
    return model;
  }
  Json scheduler = model.source.at("scheduler");
  if (markers.v_prediction) {
    scheduler["prediction_type"] = "v_prediction";
  }
  if (markers.zero_terminal_snr) {
    scheduler["rescale_betas_zero_snr"] = true;
  }
  return with_scheduler(model, std::move(scheduler));
}

/// SD2 was published in two kinds with one structure: 768 px with v-prediction, 512 px with
/// epsilon.
ModelConfig as_epsilon_model(const ModelConfig& model) {
  Json scheduler = model.source.at("scheduler");
  scheduler["prediction_type"] = "epsilon";
  ModelConfig changed = with_scheduler(model, std::move(scheduler));
  changed.defaults.width = changed.defaults.height = 512;
  return changed;
}

ModelConfig read_single_file(const SafetensorsFile& file) {
  const std::string name = model_of_single_file(file.tensors(), file.path().string());
  const SingleFileMarkers markers = single_file_markers(file.tensors());
  const ModelConfig model = find_model_config(name);
  const bool is_epsilon =
      name == "sd21" && !markers.v_prediction && !is_v_prediction_by_step(file.tensors());
  return with_markers(is_epsilon ? as_epsilon_model(model) : model, markers);
}

/// True if a single file holds weights of that structure; false for an unknown kind of file.
bool is_file_of(const fs::path& path, const ModelConfig& model) {
  try {
    const SafetensorsFile file(path);
    static_cast<void>(model_of_single_file(file.tensors(), path.string()));
    return has_unet_of(file.tensors(), unet_of(model));
  } catch (const Error&) {
    return false;
  }
}

/// The architecture according to the weights; nullopt if they do not show it. `named`: the user's
/// architecture, for what a folder without an index omits; nullptr if the user named none.
std::optional<ModelConfig> own_model(const WeightsLocation& weights, const ModelConfig* named) {
  switch (weights.kind) {
  case WeightsLocation::Kind::kFolder:
    if (fs::exists(weights.path / "model_index.json")) {
      return load_model_config_folder(weights.path);
    }
    return named == nullptr ? std::nullopt
                            : std::optional(load_model_config_folder(weights.path, *named));
  case WeightsLocation::Kind::kSingleFile:
    return read_single_file(SafetensorsFile(weights.path));
  case WeightsLocation::Kind::kSynthetic:
    return std::nullopt;
  }
  return std::nullopt;
}

ResolvedModel resolve_by_weights(const std::string& asked, const WeightsLocation& weights) {
  const std::optional<fs::path> network = network_file_of(weights.path.parent_path());
  if (network && weights.path.filename() == "model.safetensors") {
    return {load_model_config_file(*network), weights};
  }
  std::optional<ModelConfig> model = own_model(weights, nullptr);
  if (!model) {
    throw Error("folder of weights must hold diffusers' model_index.json, but " +
                weights.path.string() + " does not; name the architecture with --model");
  }
  const bool is_single_file = weights.kind == WeightsLocation::Kind::kSingleFile;
  if (!is_single_file && !asked.empty() && weights.path != fs::path(asked)) {
    model->name = asked; // a repository's folder in the cache has a hash as name
  }
  return {*model, weights};
}

/// A network's weights do not show its architecture; loading checks them tensor by tensor.
ResolvedModel resolve_network(const ModelConfig& named, const std::string& weights) {
  WeightsLocation location = locate_weights(weights, {}, named.name);
  if (location.kind == WeightsLocation::Kind::kFolder) {
    throw UsageError(
        std::string(weights.empty() ? "SDBENCH_WEIGHTS" : "--weights") +
        " must name a .safetensors file for " + named.name +
        ", or a folder with model.safetensors, but " + location.description +
        " is a pipeline's folder; " +
        (weights.empty() ? "unset it, name others with --weights, or take " : "take ") +
        "--weights synthetic");
  }
  return {named, std::move(location)};
}

/// `model` and `weights`: as the user named them.
ResolvedModel resolve_pipeline(const ModelConfig& named, const WeightsLocation& location,
                               const std::string& model, const std::string& weights) {
  std::optional<ModelConfig> own = own_model(location, &named);
  if (!own) {
    return {named, location};
  }
  if (!same_structure(unet_of(*own), unet_of(named))) {
    // A single file shows only its kind. A user's own architecture overrides the kind's usual one,
    // and loading checks it tensor by tensor.
    if (location.kind == WeightsLocation::Kind::kSingleFile &&
        (fs::exists(model) || is_file_of(location.path, named))) {
      const SafetensorsFile file(location.path);
      return {with_markers(named, single_file_markers(file.tensors())), location};
    }
    throw UsageError("--model must be the architecture of the weights, but " + named.name +
                     " is not that of " + location.description +
                     (weights.empty() ? ", which were found; name others with --weights, or take "
                                        "--weights synthetic"
                                      : "; leave --model out to take the weights' own"));
  }
  // The component configs are those beside the weights; name and defaults are those of the user's
  // model.
  own->name = named.name;
  own->defaults = named.defaults;
  return {*own, location};
}

ResolvedModel resolve_model(const std::string& model, const std::string& weights) {
  if (model.empty()) {
    const WeightsLocation location = locate_weights(weights, {}, "");
    return naming_variable(location.path, location.variable,
                           [&] { return resolve_by_weights(weights, location); });
  }
  const ModelConfig named = find_model_config(model);
  if (named.network) {
    const bool brings_weights =
        weights.empty() && fs::exists(fs::path(model) / "model.safetensors");
    return resolve_network(named, brings_weights ? model : weights);
  }
  const bool brings_weights = weights.empty() && fs::is_directory(model) && holds_weights(model);
  const auto fits = [&](const fs::path& file) { return is_file_of(file, named); };
  const WeightsLocation location =
      locate_weights(brings_weights ? model : weights, named.repositories, named.name, fits);
  return naming_variable(location.path, location.variable,
                         [&] { return resolve_pipeline(named, location, model, weights); });
}

/// Refuses a tokenizer that is not CLIP's in the plan, before weights are loaded.
void refuse_other_vocabularies(const ModelConfig& model) {
  for (const TextEncoderConfig& encoder : model.text_encoders) {
    if (!encoder.tokenizer.folder.empty()) {
      static_cast<void>(find_merge_list(encoder.tokenizer.folder));
    }
  }
}

} // namespace

const ResolvedModel& ModelResolver::resolve(const std::string& model, const std::string& weights) {
  const std::pair key(model, weights);
  auto found = known_.find(key);
  if (found == known_.end()) {
    ResolvedModel resolved = resolve_model(model, weights);
    refuse_other_vocabularies(resolved.model);
    found = known_.emplace(key, std::move(resolved)).first;
  }
  return found->second;
}

std::int64_t ModelResolver::train_count(const DataLocation& data) {
  if (data.kind == DataLocation::Kind::kSynthetic) {
    return data.count;
  }
  auto found = train_counts_.find(data.path);
  if (found == train_counts_.end()) {
    const Dataset read =
        naming_variable(data.path, data.variable, [&] { return load_dataset(data); });
    found = train_counts_.emplace(data.path, read.train.count).first;
  }
  return found->second;
}

} // namespace sdbench

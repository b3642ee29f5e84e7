#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "catch.h"
#include "parameter_kind.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/engine/models/component_tensors.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/pipeline/pipeline_models.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "sdbench/engine/worker/dtype_choice.h"
#include "sdbench/engine/worker/engine_axis_choice.h"
#include "sdbench/engine/worker/image_work.h"
#include "sdbench/engine/worker/kernels_and_graphs_choice.h"
#include "tiny_cell.h"
#include "tiny_pipeline.h"

using namespace sdbench;

namespace {

/// One value of a parameter.
struct PlantedValue {
  Component component = Component::kUNet;
  std::string name;
  double value = 0;
};

/// The synthetic weights of a model, kept, with one value changed.
class PlantedWeights {
public:
  std::optional<PlantedValue> planted;

  at::Tensor take(Component component, const std::string& name, at::IntArrayRef shape,
                  at::ScalarType dtype) {
    at::Tensor& kept = kept_[{component, name}];
    if (!kept.defined()) {
      kept = test::synthetic(component, dtype, at::kCPU)->take(name, shape);
    }
    if (!planted || planted->component != component || planted->name != name) {
      return kept;
    }
    at::Tensor changed = kept.clone();
    // The middle of the token embedding is no token of the prompt; its end is the end token.
    const bool has_end = name.ends_with("token_embedding.weight");
    changed.view(-1)[has_end ? changed.numel() - 1 : changed.numel() / 2] = planted->value;
    return changed;
  }

private:
  std::map<std::pair<Component, std::string>, at::Tensor> kept_;
};

class PlantedSource final : public LayerSource {
public:
  PlantedSource(PlantedWeights& weights, Component component, at::ScalarType dtype,
                at::Device device)
      : weights_(weights), component_(component), dtype_(dtype), device_(device) {}

  at::Tensor take(const std::string& name, at::IntArrayRef shape) override {
    return device_.is_meta() ? at::empty(shape, at::device(device_).dtype(dtype_))
                             : weights_.take(component_, name, shape, dtype_);
  }

private:
  PlantedWeights& weights_;
  Component component_;
  at::ScalarType dtype_;
  at::Device device_;
};

/// As a cell of this engine computes.
PipelineOptions options_of(const Cell& cell) {
  DeviceInfo cpu;
  cpu.kind = DeviceKind::kCpu;
  const bool has_bf16 = cpu_has_bf16();
  const DtypeChoice dtypes = choose_stage_dtypes(choose_unet_dtype(cell.dtype, false, has_bf16),
                                                 cell.model.pipeline, has_bf16);
  return pipeline_options(
      cell, at::kCPU, cpu, dtypes,
      {choose_kernels(cell, at::kCPU, dtypes), choose_graphs(cell, at::kCPU, dtypes)});
}

/// Computes an image with a value planted: only the planted stage is built anew, and what comes
/// before it is kept.
class PlantedPipeline {
public:
  explicit PlantedPipeline(const Cell& cell)
      : cell_(cell), whole_(make(Offload::kNone)), planted_(make(Offload::kStages)),
        context_(encode(whole_)), latents_(denoise(whole_, context_)) {}

  [[nodiscard]] std::string check() { return check_output(latents_, whole_.decode(latents_)); }

  [[nodiscard]] std::string check(const PlantedValue& value) {
    weights_.planted = value;
    const bool is_vae = value.component == Component::kVae;
    planted_.bring(is_vae ? Stage::kText : Stage::kVae); // lets go of the value before
    const bool is_unet = value.component == Component::kUNet;
    const Conditioning context = is_vae || is_unet ? context_ : encode(planted_);
    const at::Tensor latents = is_vae ? latents_ : denoise(is_unet ? planted_ : whole_, context);
    return check_output(latents, (is_vae ? planted_ : whole_).decode(latents));
  }

private:
  StableDiffusion make(Offload offload) {
    PipelineOptions options = options_of(cell_);
    options.offload = offload;
    return {cell_.model,
            [this](Component component, at::ScalarType dtype, at::Device device) {
              return std::make_unique<PlantedSource>(weights_, component, dtype, device);
            },
            options};
  }
  Conditioning encode(const StableDiffusion& pipeline) const {
    return pipeline.encode(cell_.prompts, std::nullopt, cell_.guidance, cell_.width, cell_.height);
  }
  at::Tensor denoise(const StableDiffusion& pipeline, const Conditioning& context) const {
    PipelineObserver nobody;
    return pipeline.denoise(pipeline.initial_noise(0, 1, cell_.width, cell_.height), context,
                            {.steps = 1, .guidance = cell_.guidance}, nobody);
  }

  Cell cell_;
  PlantedWeights weights_;
  StableDiffusion whole_;
  StableDiffusion planted_; ///< builds a stage when it is needed
  Conditioning context_;
  at::Tensor latents_;
};

/// The tiny model with two levels of one layer: each kind of parameter, at a fraction of the time.
ModelConfig with_fewer_layers(const char* model) {
  Json source = find_model_config(model).source;
  source["unet"].update({{"block_out_channels", {32, 64}},
                         {"down_block_types", {"DownBlock2D", "CrossAttnDownBlock2D"}},
                         {"up_block_types", {"CrossAttnUpBlock2D", "UpBlock2D"}},
                         {"layers_per_block", 1}});
  source["unet"].erase("transformer_layers_per_block");
  source["unet"]["attention_head_dim"] = 4;
  source["vae"].update({{"block_out_channels", {32, 64}},
                        {"down_block_types", {"DownEncoderBlock2D", "DownEncoderBlock2D"}},
                        {"up_block_types", {"UpDecoderBlock2D", "UpDecoderBlock2D"}},
                        {"layers_per_block", 1}});
  return parse_model_config(source, model);
}

/// One parameter of each kind that an image is computed with: "unet conv#.weight" → its name.
std::map<std::string, PlantedValue> places_in(const ModelConfig& model) {
  std::map<std::string, PlantedValue> places;
  for (const Component component : components_of(model)) {
    for (const TensorDeclaration& tensor :
         component_tensors(model, component, Dtype::kF32, VaeParts::kDecoder)) {
      places.try_emplace(std::string(folder_name(component)) + " " +
                             test::kind_of_parameter(tensor.name),
                         PlantedValue{component, tensor.name, 0});
    }
  }
  return places;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kHuge =
    3e38; ///< finite in fp32 and in bf16; a sum with another of its size is not

using Kinds = std::set<std::string>;

/// SDXL takes its first encoder's states before the last layer.
Kinds unused_kinds(const ModelConfig& model) {
  return model.text_encoders.size() == 2
             ? Kinds{"text_encoder final_layer_norm.bias", "text_encoder final_layer_norm.weight"}
             : Kinds{};
}

/// What may stay finite though it is huge: softmax or a layer norm makes it small again, or no sum
/// comes after it.
const Kinds kMayStayFinite{"text_encoder q_proj.bias",
                           "text_encoder k_proj.bias",
                           "text_encoder_2 q_proj.bias",
                           "text_encoder_2 k_proj.bias",
                           "text_encoder token_embedding.weight",
                           "text_encoder_2 token_embedding.weight",
                           "vae conv_norm_out.bias",
                           "vae conv_out.bias"};

/// True for weights that reach the image only through attention's scores. ATen's flash attention in
/// bf16 with AVX2 makes finite numbers of infinite scores, or not, as the last bits of its inputs
/// have it (torch 2.11: scaled_dot_product_attention of an infinite key is finite from 16 tokens
/// on, that of math never). Where tuned uses it, too, these weights tell nothing of tuned.
bool is_only_in_scores(const std::string& kind) {
  return kind.find(" to_q.") != std::string::npos || kind.find(" to_k.") != std::string::npos;
}

/// The kinds whose value leaves tuned's image finite; plain's must then be finite, too.
Kinds finite_kinds(PlantedPipeline& tuned, PlantedPipeline& plain,
                   std::map<std::string, PlantedValue> places, double value) {
  Kinds finite;
  for (auto& [kind, place] : places) {
    place.value = value;
    if (tuned.check(place) != "non_finite") {
      CAPTURE(kind, value);
      CHECK(plain.check(place) != "non_finite");
      finite.insert(kind);
    }
  }
  return finite;
}

void check_planted_pipeline(const char* model, Dtype dtype) {
  Cell cell = test::tiny_cell(model);
  cell.model = with_fewer_layers(model);
  cell.width = cell.height = 16;
  cell.dtype = dtype;
  auto places = places_in(cell.model);
  for (const auto& [kind, place] : places_in(find_model_config(model))) {
    CHECK(places.contains(kind)); // fewer layers have as many kinds
  }
  cell.engine = kPlainEngine;
  PlantedPipeline plain(cell);
  cell.engine = kTunedEngine;
  PlantedPipeline tuned(cell);
  CAPTURE(model, name_of(dtype));
  CHECK(plain.check() == "pass");
  CHECK(tuned.check() == "pass");
  const bool has_own_attention = options_of(cell).own_kernels;
  if (dtype == Dtype::kBF16 && !has_own_attention) {
    std::erase_if(places, [](const auto& place) { return is_only_in_scores(place.first); });
  }
  const auto finite = [&](double value) { return finite_kinds(tuned, plain, places, value); };
  const Kinds unused = unused_kinds(cell.model);
  CHECK(finite(kNan) == unused);
  const Kinds with_infinity = finite(kInfinity);
  const Kinds with_negative = dtype == Dtype::kF32 ? finite(-kInfinity) : unused; // GELU's NaN
  Kinds with_overflow = finite(kHuge);
  if (has_own_attention) { // ATen's makes weights of 0 of infinity in bf16
    CHECK(with_infinity == unused);
    CHECK(with_negative == unused);
    std::erase_if(with_overflow, [&](const std::string& kind) {
      return unused.contains(kind) || kMayStayFinite.contains(kind);
    });
    CHECK(with_overflow == Kinds{});
  }
}

} // namespace

TEST_CASE("a pipeline's image is not finite in tuned where it is not in plain") {
  const int threads = at::get_num_threads();
  at::set_num_threads(1); // threads wait longer for each other than they compute
  const char* model = GENERATE("tiny-sd15", "tiny-sdxl");
  check_planted_pipeline(model, GENERATE(Dtype::kF32, Dtype::kBF16));
  at::set_num_threads(threads);
}

// Runs the pipeline for test_pipeline.py and writes down every number on the way. Each line of
// stdin is a JSON request,
//   {"folder": …, "in": …, "out": …}
// and each line of stdout, {}, says that it is done. folder: diffusers'. in: tensor "latents" (unit
// noise, fp32), and the run as JSON under the metadata key "request": prompts, negative (or null),
// guidance, steps, width, height, dtype, dtype_vae, attention, timestep_spacing (or null), karras,
// clip_skip, and the engine's axes as in oracle_run.py. out: ids.N (per text encoder), context,
// pooled, time_ids, unet.N, latents.N (per step), image [0, 1], pixels (uint8).
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/base/weights/tensor_view.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/checkpoint_source.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/pipeline/host_allocator.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "sdbench/engine/tokenizer/clip_tokenizer.h"

namespace {

using namespace sdbench;

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

class Dump final : public PipelineObserver {
public:
  explicit Dump(NamedTensors& out) : out_(out) {}
  [[nodiscard]] bool wants_step_tensors() const override { return true; }
  void on_step_tensors(std::int64_t step, const at::Tensor& unet_output,
                       const at::Tensor& latents) override {
    out_.emplace_back("unet." + std::to_string(step), unet_output);
    out_.emplace_back("latents." + std::to_string(step), latents);
  }

private:
  NamedTensors& out_;
};

/// Made once for each folder: the models of a session are few, and a vocabulary is long.
const ClipTokenizer& tokenizer_of(const TokenizerConfig& config) {
  static std::map<std::filesystem::path, ClipTokenizer> made;
  return made.try_emplace(config.folder, config).first->second;
}

at::Tensor token_ids(const TokenizerConfig& config, const std::vector<std::string>& prompts) {
  const ClipTokenizer& tokenizer = tokenizer_of(config);
  std::vector<at::Tensor> rows;
  for (const std::string& prompt : prompts) {
    rows.push_back(at::tensor(tokenizer.encode_padded(prompt), at::kLong));
  }
  return at::stack(rows);
}

StageDtype stage_dtype(const Json& request, const char* key) {
  return StageDtype(precision_from_name(request.at(key).get<std::string>()).value());
}

TimestepSpacing spacing(const Json& request, TimestepSpacing otherwise) {
  const Json& name = request.at("timestep_spacing");
  return name.is_null()       ? otherwise
         : name == "leading"  ? TimestepSpacing::kLeading
         : name == "trailing" ? TimestepSpacing::kTrailing
                              : TimestepSpacing::kLinspace;
}

NamedTensors run(const std::string& folder, const Json& request, const at::Tensor& noise) {
  const ModelConfig config = load_model_config_folder(folder);
  set_host_allocator(request.at("host_allocator") == "caching" ? HostAllocator::kCaching
                                                               : HostAllocator::kSystem);
  PipelineOptions options;
  options.dtype_text = options.dtype_unet = stage_dtype(request, "dtype");
  options.dtype_vae = stage_dtype(request, "dtype_vae");
  if (request.at("channels_last").get<bool>()) {
    options.memory_format_unet = options.memory_format_vae = at::MemoryFormat::ChannelsLast;
  }
  const Json& packing = request.at("packing");
  options.packing = packing == "winograd" ? Packing::kWinograd
                    : packing == "onednn" ? Packing::kOneDnn
                                          : Packing::kNone;
  options.kv_cache = request.at("kv_cache").get<bool>();
  options.time_cache = request.at("time_cache").get<bool>();
  options.shared_prefix = request.at("shared_prefix").get<bool>();
  options.vae_tiling = request.at("vae_tiling").get<bool>();
  options.offload = request.at("offload") == "stages" ? Offload::kStages : Offload::kNone;
  options.own_kernels = request.at("own_kernels").get<bool>();
  options.attention = attention_from_name(request.at("attention").get<std::string>()).value();
  if (options.attention == Attention::kOwn) {
    options.attention_vae = options.attention;
  }
  const auto weights = [&](Component component, at::ScalarType dtype, at::Device device) {
    return std::make_unique<CheckpointSource>(open_component(folder, component),
                                              folder_name(component), dtype, device);
  };
  const StableDiffusion pipeline(config, weights, options);

  NamedTensors out;
  const auto prompts = request.at("prompts").get<std::vector<std::string>>();
  for (std::size_t i = 0; i < config.text_encoders.size(); ++i) {
    out.emplace_back("ids." + std::to_string(i),
                     token_ids(config.text_encoders[i].tokenizer, prompts));
  }
  std::optional<std::string> negative;
  if (!request.at("negative").is_null()) {
    negative = request.at("negative").get<std::string>();
  }
  const Conditioning conditioning =
      pipeline.encode(prompts, negative, request.at("guidance"), request.at("width"),
                      request.at("height"), request.at("clip_skip"));
  out.emplace_back("context", conditioning.context);
  if (conditioning.pooled.defined()) {
    out.emplace_back("pooled", conditioning.pooled);
    out.emplace_back("time_ids", conditioning.time_ids);
  }
  Dump dump(out);
  const at::Tensor latents = pipeline.denoise(
      noise, conditioning,
      {.steps = request.at("steps"),
       .guidance = request.at("guidance"),
       .timestep_spacing = spacing(request, config.scheduler.timestep_spacing),
       .karras = request.at("karras").get<bool>() || config.scheduler.use_karras_sigmas},
      dump);
  const at::Tensor image = pipeline.decode(latents);
  out.emplace_back("image", image.clamp(0, 1));
  out.emplace_back("pixels", StableDiffusion::to_uint8(image));
  return out;
}

void write(const std::string& path, const NamedTensors& named) {
  std::vector<at::Tensor> tensors;
  std::vector<TensorDeclaration> declarations;
  for (const auto& [name, tensor] : named) {
    const at::Tensor exact = tensor.is_floating_point() ? tensor.to(at::kFloat) : tensor;
    tensors.push_back(exact.contiguous());
    declarations.push_back({name, to_dtype(exact.scalar_type()), exact.sizes().vec()});
  }
  write_safetensors(path, declarations, [&](std::size_t index, std::span<std::byte> bytes) {
    std::memcpy(bytes.data(), tensors[index].const_data_ptr(), bytes.size());
  });
}

void answer(const Json& files) {
  const SafetensorsFile in(files.at("in").get<std::string>());
  const TensorView& latents = in.tensors().at("latents");
  const at::Tensor noise = at::empty(latents.shape, at::kFloat);
  std::memcpy(noise.data_ptr(), latents.data.data(), latents.data.size());
  write(files.at("out").get<std::string>(), run(files.at("folder").get<std::string>(),
                                                Json::parse(in.metadata().at("request")), noise));
}

} // namespace

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      answer(Json::parse(line));
      std::cout << "{}" << std::endl;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parity_probe: %s\n", error.what());
    return 1;
  }
  return 0;
}

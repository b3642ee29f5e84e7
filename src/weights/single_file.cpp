#include "sdbench/weights/single_file.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sdbench/core/dtype.h"
#include "sdbench/core/error.h"
#include "sdbench/weights/safetensors.h"

namespace sdbench {
namespace {

constexpr const char* kConvIn = "model.diffusion_model.input_blocks.0.0.weight";
constexpr const char* kCrossAttention =
    "model.diffusion_model.input_blocks.2.1.transformer_blocks.0.attn2.to_k.weight";

bool has_prefix(const TensorMap& tensors, std::string_view prefix) {
  const auto found = tensors.lower_bound(std::string(prefix));
  return found != tensors.end() && found->first.starts_with(prefix);
}

/// Extent of a dimension counted from the front, or from the back if negative; 0 if there is no
/// such tensor or dimension.
std::int64_t extent(const TensorMap& tensors, const char* name, int dimension) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) {
    return 0;
  }
  const auto& shape = found->second.shape;
  const auto rank = static_cast<int>(shape.size());
  const int index = dimension < 0 ? rank + dimension : dimension;
  return index >= 0 && index < rank ? shape[static_cast<std::size_t>(index)] : 0;
}

void refuse(const std::string& origin, const std::string& what) {
  throw Error(origin + " must be a text-to-image model of the SD1, SD2 or SDXL kind, but is " +
              what + "; use the base model's file");
}

void refuse_other_models(const TensorMap& tensors, const std::string& origin) {
  if (has_prefix(tensors, "conditioner.embedders.0.model.")) {
    refuse(origin, "the SDXL refiner");
  }
  if (tensors.contains("edm_mean")) {
    refuse(origin, "an EDM model (Playground v2.5)");
  }
  const std::int64_t channels = extent(tensors, kConvIn, 1);
  if (channels == 9) {
    refuse(origin, "an inpainting model (its UNet takes 9 channels)");
  }
  if (channels != 4) {
    refuse(origin,
           "one whose UNet takes " + std::to_string(channels) + " channels (4 is text-to-image)");
  }
}

} // namespace

SingleFileKind detect_single_file(const TensorMap& tensors, const std::string& origin) {
  if (!tensors.contains(kConvIn)) {
    throw Error(origin + " must be a whole CompVis or SGM checkpoint, but has no tensor " +
                kConvIn + "; give such a file, or the folder of a diffusers model");
  }
  refuse_other_models(tensors, origin);
  if (has_prefix(tensors, "conditioner.embedders.1.model.")) {
    return SingleFileKind::kSdxl;
  }
  if (has_prefix(tensors, "cond_stage_model.model.") ||
      extent(tensors, kCrossAttention, -1) == 1024) {
    return SingleFileKind::kSd2;
  }
  if (has_prefix(tensors, "cond_stage_model.transformer.")) {
    return SingleFileKind::kSd1;
  }
  throw Error(origin + " must hold its text encoder, but has no tensor under "
                       "cond_stage_model.transformer. (SD1), cond_stage_model.model. (SD2) or "
                       "conditioner.embedders.1.model. (SDXL); use the full checkpoint");
}

SingleFileKind detect_single_file(const std::filesystem::path& file) {
  return detect_single_file(SafetensorsFile(file).tensors(), file.string());
}

bool single_file_is_v_prediction(const std::filesystem::path& file) {
  constexpr std::int64_t kEpsilonStep = 875000;
  const SafetensorsFile opened(file);
  const auto found = opened.tensors().find("global_step");
  std::int64_t step = 0;
  if (found != opened.tensors().end() && found->second.dtype == Dtype::kI64 &&
      found->second.data.size() == sizeof step) {
    std::memcpy(&step, found->second.data.data(), sizeof step);
  }
  return step != kEpsilonStep;
}

} // namespace sdbench

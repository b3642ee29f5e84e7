#include "sdbench/base/config/model_family_table.h"

#include <algorithm>

namespace sdbench {
namespace {

constexpr ModelPart kPartsOfSd[] = {{Component::kTextEncoder, "CLIPTextModel"},
                                    {Component::kUNet, "UNet2DConditionModel"},
                                    {Component::kVae, "AutoencoderKL"}};
constexpr ModelPart kPartsOfSdxl[] = {{Component::kTextEncoder, "CLIPTextModel"},
                                      {Component::kTextEncoder2, "CLIPTextModelWithProjection"},
                                      {Component::kUNet, "UNet2DConditionModel"},
                                      {Component::kVae, "AutoencoderKL"}};

constexpr ModelFamily kFamilies[] = {
    // SD 1, SD 2 and what was made of them
    {.pipeline = PipelineClass::kStableDiffusion,
     .class_name = "StableDiffusionPipeline",
     .parts = kPartsOfSd,
     .guidance = 7.5,
     .uses_penultimate_layer = false,
     .takes_text_time = false,
     .may_zero_negative = false,
     .vae_overflows_fp16 = false,
     .corrects_old_configs = true,
     .smallest_model = "tiny-sd15"},
    {.pipeline = PipelineClass::kStableDiffusionXl,
     .class_name = "StableDiffusionXLPipeline",
     .parts = kPartsOfSdxl,
     .guidance = 5.0,
     .uses_penultimate_layer = true,
     .takes_text_time = true,
     .may_zero_negative = true,
     .vae_overflows_fp16 = true,
     .corrects_old_configs = false,
     .smallest_model = "tiny-sdxl"},
};

} // namespace

std::span<const ModelFamily> model_families() {
  return kFamilies;
}

const ModelFamily& family_of(PipelineClass pipeline) {
  return *std::ranges::find(kFamilies, pipeline, &ModelFamily::pipeline);
}

} // namespace sdbench

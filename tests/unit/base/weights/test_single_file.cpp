#include "catch.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/single_file.h"
#include "sdbench/base/weights/tensor_view.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kConvIn = "model.diffusion_model.input_blocks.0.0.weight";

TensorMap with(std::vector<std::int64_t> conv_in_shape, const std::vector<std::string>& others) {
  TensorMap tensors{{kConvIn, {Dtype::kF32, std::move(conv_in_shape), {}}}};
  for (const std::string& name : others) {
    tensors[name] = {Dtype::kF32, {1}, {}};
  }
  return tensors;
}

std::string kind_of_names(const std::vector<std::string>& others) {
  return model_of_single_file(with({320, 4, 3, 3}, others), "file");
}

} // namespace

TEST_CASE("a single file's kind is told by its text encoders") {
  CHECK(kind_of_names({"cond_stage_model.transformer.text_model.final_layer_norm.bias"}) == "sd15");
  CHECK(kind_of_names({"cond_stage_model.model.ln_final.bias"}) == "sd21");
  CHECK(kind_of_names({"conditioner.embedders.0.transformer.text_model.final_layer_norm.bias",
                       "conditioner.embedders.1.model.ln_final.bias"}) == "sdxl");
}

TEST_CASE(
    "SD1 and SD2 are told by the width of the UNet's context, whatever their encoder's names") {
  const auto with_context = [](std::int64_t width, const std::string& encoder) {
    TensorMap tensors = with({320, 4, 3, 3}, {encoder});
    tensors["model.diffusion_model.input_blocks.2.1.transformer_blocks.0.attn2.to_k.weight"] = {
        Dtype::kF32, {640, width}, {}};
    return model_of_single_file(tensors, "file");
  };
  CHECK(with_context(1024, "cond_stage_model.transformer.text_model.x") == "sd21");
  CHECK(with_context(768, "cond_stage_model.model.ln_final.bias") == "sd15");
  CHECK(with_context(768, "conditioner.embedders.0.transformer.x") == "sd15");
  CHECK(with_context(32, "cond_stage_model.model.ln_final.bias") == "sd21");
}

TEST_CASE("SD2 in SGM's layout is SD Turbo, and not the SDXL refiner that lies at the same place") {
  const std::string encoder = "conditioner.embedders.0.model.ln_final.bias";
  CHECK(kind_of_names({encoder, "denoiser.sigmas"}) == "sd-turbo");
  CHECK(kind_of_names({encoder, "v_pred"}) == "sd21");
  CHECK_THROWS_WITH(kind_of_names({encoder, "model.diffusion_model.label_emb.0.0.weight"}),
                    ContainsSubstring("but is the SDXL refiner"));
  CHECK_THROWS_WITH(kind_of_names({"conditioner.embedders.0.transformer.text_model.x",
                                   "model.diffusion_model.label_emb.0.0.weight"}),
                    ContainsSubstring("but is an SDXL model without its second text encoder"));
}

TEST_CASE("inpainting and other UNets are refused by name, as are other noise processes") {
  const std::vector<std::string> sd1{"cond_stage_model.transformer.x"};
  CHECK_THROWS_WITH(model_of_single_file(with({320, 9, 3, 3}, sd1), "file"),
                    ContainsSubstring("but is an inpainting model"));
  CHECK_THROWS_WITH(model_of_single_file(with({320, 8, 3, 3}, sd1), "file"),
                    ContainsSubstring("UNet takes 8 channels"));
  CHECK_THROWS_WITH(model_of_single_file(with({320}, sd1), "file"),
                    ContainsSubstring("UNet takes 0 channels"));
  CHECK_THROWS_WITH(
      kind_of_names({"cond_stage_model.model.x", "model.diffusion_model.label_emb.0.0.weight"}),
      ContainsSubstring("but is an unCLIP model"));
  const std::string sdxl = "conditioner.embedders.1.model.ln_final.bias";
  for (const char* marker : {"edm_mean", "edm_std"}) {
    CHECK_THROWS_WITH(kind_of_names({marker, sdxl}), ContainsSubstring("Playground"));
  }
  for (const char* marker : {"edm_vpred.sigma_max", "edm_vpred.sigma_min"}) {
    CHECK_THROWS_WITH(kind_of_names({marker, sdxl, "v_pred"}), ContainsSubstring("CosXL"));
  }
}

TEST_CASE("a file that is no whole checkpoint is refused, saying what was looked for") {
  CHECK_THROWS_WITH(model_of_single_file(TensorMap{}, "lora.safetensors"),
                    ContainsSubstring("lora.safetensors") && ContainsSubstring(kConvIn));
  CHECK_THROWS_WITH(kind_of_names({}), ContainsSubstring("conditioner.embedders.1.model."));
}

TEST_CASE("marker tensors say what a file was trained for") {
  const SingleFileMarkers none = single_file_markers({});
  CHECK_FALSE(none.v_prediction);
  CHECK_FALSE(none.zero_terminal_snr);
  const SingleFileMarkers both =
      single_file_markers({{"v_pred", {Dtype::kF32, {0}, {}}}, {"ztsnr", {Dtype::kF32, {0}, {}}}});
  CHECK(both.v_prediction);
  CHECK(both.zero_terminal_snr);
}

TEST_CASE("an SD2 file predicts v unless its global step is that of the base model") {
  const auto v_prediction = [](std::int64_t step) {
    const auto bytes = std::as_bytes(std::span(&step, 1));
    return is_v_prediction_by_step({{"global_step", {Dtype::kI64, {}, bytes}}});
  };
  CHECK_FALSE(v_prediction(875000));
  CHECK(v_prediction(110000));
  CHECK(is_v_prediction_by_step({}));
}

namespace {

/// Tensors of a UNet whose input blocks have so many transformer layers, as files name them.
TensorMap unet_file(const std::vector<int>& depths, std::int64_t context, bool has_middle = true) {
  const std::string prefix = "model.diffusion_model.";
  TensorMap tensors = with({320, 4, 3, 3}, {});
  for (std::size_t block = 1; block < depths.size(); ++block) {
    const std::string name = prefix + "input_blocks." + std::to_string(block);
    tensors[name + ".0.in_layers.2.weight"] = {Dtype::kF32, {320, 320, 3, 3}, {}};
    for (int layer = 0; layer < depths[block]; ++layer) {
      tensors[name + ".1.transformer_blocks." + std::to_string(layer) + ".attn2.to_k.weight"] = {
          Dtype::kF32, {320, context}, {}};
    }
  }
  if (has_middle) {
    tensors[prefix + "middle_block.0.in_layers.2.weight"] = {Dtype::kF32, {1280, 1280, 3, 3}, {}};
  }
  return tensors;
}

const std::vector<int> kSd15Depths = {0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0};
const std::vector<int> kSdxlDepths = {0, 0, 0, 0, 2, 2, 0, 10, 10};

} // namespace

TEST_CASE("a file has an architecture's UNet where it has its blocks, layers and widths") {
  const UNetConfig sd15 = unet_of(find_model_config("sd15"));
  const UNetConfig sd21 = unet_of(find_model_config("sd21"));
  const UNetConfig sdxl = unet_of(find_model_config("sdxl"));
  CHECK(has_unet_of(unet_file(kSd15Depths, 768), sd15));
  CHECK(has_unet_of(unet_file(kSd15Depths, 1024), sd21));
  CHECK(has_unet_of(unet_file(kSdxlDepths, 2048), sdxl));
  CHECK_FALSE(has_unet_of(unet_file(kSd15Depths, 768), sd21));
  CHECK_FALSE(has_unet_of(unet_file(kSdxlDepths, 2048), sd15));
}

TEST_CASE(
    "a distilled kind's file, with fewer blocks or layers, is not of the whole architecture") {
  const UNetConfig sd15 = unet_of(find_model_config("sd15"));
  const UNetConfig sdxl = unet_of(find_model_config("sdxl"));
  CHECK_FALSE(has_unet_of(unet_file(kSd15Depths, 768, false), sd15));           // small-sd
  CHECK_FALSE(has_unet_of(unet_file({0, 1, 0, 1, 0, 1, 0, 0}, 768), sd15));     // tiny-sd
  CHECK_FALSE(has_unet_of(unet_file({0, 0, 0, 0, 2, 2, 0, 4, 4}, 2048), sdxl)); // SSD-1B
}

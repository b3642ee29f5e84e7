#include "catch.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "scratch_folder.h"
#include "sdbench/core/dtype.h"
#include "sdbench/core/error.h"
#include "sdbench/weights/safetensors_writer.h"
#include "sdbench/weights/single_file.h"
#include "tiny_checkpoint.h"

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

SingleFileKind kind_of(const std::vector<std::string>& others) {
  return detect_single_file(with({320, 4, 3, 3}, others), "file");
}

} // namespace

TEST_CASE("a single file's kind is told by its text encoders") {
  CHECK(kind_of({"cond_stage_model.transformer.text_model.final_layer_norm.bias"}) ==
        SingleFileKind::kSd1);
  CHECK(kind_of({"cond_stage_model.model.ln_final.bias"}) == SingleFileKind::kSd2);
  CHECK(kind_of({"conditioner.embedders.0.transformer.text_model.final_layer_norm.bias",
                 "conditioner.embedders.1.model.ln_final.bias"}) == SingleFileKind::kSdxl);
}

TEST_CASE("an SD2 UNet is told by the width of its context") {
  TensorMap tensors = with({320, 4, 3, 3}, {});
  tensors["model.diffusion_model.input_blocks.2.1.transformer_blocks.0.attn2.to_k.weight"] = {
      Dtype::kF32, {640, 1024}, {}};
  CHECK(detect_single_file(tensors, "file") == SingleFileKind::kSd2);
}

TEST_CASE("the refiner, inpainting and other UNets are refused by name") {
  CHECK_THROWS_WITH(kind_of({"conditioner.embedders.0.model.ln_final.bias"}),
                    ContainsSubstring("but is the SDXL refiner"));
  const std::vector<std::string> sd1{"cond_stage_model.transformer.x"};
  CHECK_THROWS_WITH(detect_single_file(with({320, 9, 3, 3}, sd1), "file"),
                    ContainsSubstring("but is an inpainting model"));
  CHECK_THROWS_WITH(detect_single_file(with({320, 8, 3, 3}, sd1), "file"),
                    ContainsSubstring("UNet takes 8 channels"));
  CHECK_THROWS_WITH(detect_single_file(with({320}, sd1), "file"),
                    ContainsSubstring("UNet takes 0 channels"));
  CHECK_THROWS_WITH(kind_of({"edm_mean", "conditioner.embedders.1.model.ln_final.bias"}),
                    ContainsSubstring("Playground"));
}

TEST_CASE("a file that is no whole checkpoint is refused, saying what was looked for") {
  CHECK_THROWS_WITH(detect_single_file(TensorMap{}, "lora.safetensors"),
                    ContainsSubstring("lora.safetensors") && ContainsSubstring(kConvIn));
  CHECK_THROWS_WITH(kind_of({}), ContainsSubstring("conditioner.embedders.1.model."));
}

TEST_CASE("an SD2 file predicts v unless its global step is that of the base model") {
  const test::ScratchFolder folder;
  const auto v_prediction = [&](std::int64_t step) {
    const auto path = folder.path() / "a.safetensors";
    write_safetensors(path, {{"global_step", Dtype::kI64, {}}},
                      [&](std::size_t, std::span<std::byte> bytes) {
                        std::memcpy(bytes.data(), &step, sizeof step);
                      });
    return single_file_is_v_prediction(path);
  };
  CHECK_FALSE(v_prediction(875000));
  CHECK(v_prediction(110000));
  CHECK(single_file_is_v_prediction(test::write_tensor(folder.path() / "b.safetensors", "x")));
}

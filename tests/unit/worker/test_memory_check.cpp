#include "catch.h"

#include "sdbench/plan/memory_estimate.h"
#include "sdbench/worker/memory_check.h"

using namespace sdbench;

namespace {

// Parameters of SD1.5: UNet, CLIP-L, and the VAE without its encoder.
constexpr std::int64_t kUNet = 859'520'964;
constexpr std::int64_t kText = 123'060'480;
constexpr std::int64_t kVae = 49'490'199;

std::int64_t sd15_bytes(const PipelineOptions& options) {
  return weight_bytes(find_model_config("sd15"), options);
}

} // namespace

TEST_CASE("weights are counted in their dtypes, and with offload the largest stage alone") {
  CHECK(sd15_bytes({}) == 4 * (kUNet + kText + kVae));
  CHECK(sd15_bytes({.dtype_text = at::kHalf, .dtype_unet = at::kHalf, .dtype_vae = at::kFloat}) ==
        2 * (kUNet + kText) + 4 * kVae);
  CHECK(sd15_bytes({.offload = Offload::kStages}) == 4 * kUNet);
}

TEST_CASE("autocast keeps fp32 weights, and the largest stage's copies beside them") {
  const StageDtype autocast(Precision(Dtype::kBF16, true));
  PipelineOptions options{.dtype_text = autocast, .dtype_unet = autocast, .dtype_vae = autocast};
  CHECK(sd15_bytes(options) == 4 * (kUNet + kText + kVae) + 2 * kUNet);
  options.offload = Offload::kStages;
  CHECK(sd15_bytes(options) == 6 * kUNet);
}

TEST_CASE("tiles need the working memory of one tile") {
  const VaeConfig vae = find_model_config("sd15").vae;
  const std::int64_t tile = working_bytes(vae, {}, 512, 512, 1);
  CHECK(working_bytes(vae, {}, 1024, 2048, 1) == 8 * tile);
  CHECK(working_bytes(vae, {.vae_tiling = true}, 1024, 2048, 1) == tile);
  CHECK(working_bytes(vae, {.vae_tiling = true}, 256, 256, 1) == tile / 4);
}

TEST_CASE("the weights that --dry-run counts are those that the worker loads") {
  for (const std::string& name : shipped_model_names()) {
    INFO(name);
    const ModelConfig model = find_model_config(name);
    for (const Precision precision : {Precision(Dtype::kF32), Precision(Dtype::kBF16, true)}) {
      for (const bool offload : {false, true}) {
        const StageDtype dtype(precision);
        const PipelineOptions options{.dtype_text = dtype,
                                      .dtype_unet = dtype,
                                      .dtype_vae = dtype,
                                      .offload = offload ? Offload::kStages : Offload::kNone};
        CHECK(weight_bytes(model, options) == weight_bytes(model, precision, offload));
      }
    }
  }
}

#include "sdbench/plan/memory_estimate.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("weights take as many bytes as their dtype has") {
  const ModelConfig model = find_model_config("sd15");
  CHECK(weight_bytes(model, Dtype::kF16) == 2 * (859'520'964LL + 123'060'480 + 49'490'199));
  CHECK(weight_bytes(model, Dtype::kF32) == 2 * weight_bytes(model, Dtype::kF16));
}

TEST_CASE("offload holds the largest stage, autocast its copies too, tiling one tile") {
  const ModelConfig model = find_model_config("sd15");
  CHECK(weight_bytes(model, Dtype::kF16, true) == 2 * 859'520'964LL);
  CHECK(weight_bytes(model, Precision(Dtype::kF16, true), true) == 6 * 859'520'964LL);
  CHECK(weight_bytes(model, Precision(Dtype::kF16, true)) ==
        weight_bytes(model, Dtype::kF32) + 2 * 859'520'964LL);
  CHECK(decoding_bytes(model.vae, 2, 2048, 1024, 1, true) ==
        decoding_bytes(model.vae, 2, 512, 512, 1));
  CHECK(decoding_bytes(model.vae, 2, 2048, 64, 1, true) ==
        decoding_bytes(model.vae, 2, 512, 64, 1));
}

TEST_CASE("decoding takes memory by pixels, images and bytes of an element") {
  const VaeConfig vae = find_model_config("sd15").vae;
  CHECK(decoding_bytes(vae, 2, 512, 512, 1) == 3LL * 256 * 512 * 512 * 2);
  CHECK(decoding_bytes(vae, 4, 512, 256, 3) == 3 * decoding_bytes(vae, 2, 512, 512, 1));
}

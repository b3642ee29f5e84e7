#include "catch.h"

#include <cmath>

#include "sdbench/base/config/model_cost.h"

using namespace sdbench;

namespace {

constexpr std::int64_t kTokens = 77;

/// GMAC of one image whose side is `pixels`, rounded to `digits` after the point, as the published
/// table has them.
double rounded(double macs, int digits) {
  const double scale = std::pow(10, digits);
  return std::round(macs / 1e9 * scale) / scale;
}

double unet(const char* model, std::int64_t pixels, std::int64_t batch = 1) {
  return denoiser_macs(find_model_config(model).denoiser, pixels / 8, pixels / 8, kTokens, batch);
}

double decode(std::int64_t pixels) {
  return vae_decode_macs(find_model_config("sd15").vae, pixels / 8, pixels / 8, 1);
}

} // namespace

TEST_CASE("the UNet's work is the known table's, digit for digit") {
  CHECK(rounded(unet("sd15", 512), 1) == 401.6);
  CHECK(rounded(unet("sdxl", 768), 1) == 1820.6);
  CHECK(rounded(unet("sdxl", 1024), 1) == 3380.6);
}

TEST_CASE("the decoder's work is the known table's, digit for digit") {
  CHECK(rounded(decode(512), 0) == 1257);
  CHECK(rounded(decode(768), 0) == 2877);
  CHECK(rounded(decode(1024), 0) == 5235);
}

TEST_CASE("the text encoders' work is the known table's, digit for digit") {
  const ModelConfig model = find_model_config("sdxl");
  CHECK(rounded(text_encoder_macs(model.text_encoders[0].model, kTokens, 1), 2) == 6.65);
  CHECK(rounded(text_encoder_macs(model.text_encoders[1].model, kTokens, 1), 1) == 48.9);
}

TEST_CASE("the numbers in the weights are the published models', to the last one") {
  const ParameterCounts sd15 = parameter_counts(find_model_config("sd15"));
  CHECK(sd15.unet == 859'520'964);
  CHECK(sd15.text == 123'060'480);
  CHECK(sd15.vae == 49'490'199); // decoder and post_quant_conv
  const ParameterCounts sdxl = parameter_counts(find_model_config("sdxl"));
  CHECK(sdxl.unet == 2'567'463'684);
  CHECK(sdxl.text == 123'060'480 + 694'659'840);
}

TEST_CASE("work is proportional to the batch, and the same for both architectures of one form") {
  CHECK(unet("sd15", 512, 2) == 2 * unet("sd15", 512));
  CHECK(unet("sdxl", 512) == unet("sdxl-turbo", 512));
}

TEST_CASE("what the UNet moves grows with the area and the batch, and is no part of its weights") {
  const UNetConfig config = unet_of(find_model_config("sd15"));
  const double small = denoiser_moved_elements(config, 32, 32, kTokens, 1);
  const double large = denoiser_moved_elements(config, 64, 64, kTokens, 1);
  CHECK(large > 3.5 * small); // the context's keys and values do not grow
  CHECK(large < 4 * small);
  CHECK(denoiser_moved_elements(config, 32, 32, kTokens, 3) == 3 * small);
  // The first and the last convolution alone move more than the latents at both their ends.
  CHECK(large > 2.0 * 64 * 64 * (4 + 320));
}

TEST_CASE("sizes that do not halve evenly are counted as they are run") {
  // 9x13 latents → 5x7 → 3x4 → 2x2: more than a proportional share, never less than the next even
  // size's.
  const UNetConfig config = unet_of(find_model_config("sd15"));
  const double odd = denoiser_macs(config, 9, 13, kTokens, 1);
  CHECK(odd > denoiser_macs(config, 8, 8, kTokens, 1));
  CHECK(odd < denoiser_macs(config, 16, 16, kTokens, 1));
}

#include "catch.h"

#include <string>

#include <ATen/ATen.h>

#include "known_configs.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/engine/models/autoencoder_kl.h"
#include "sdbench/engine/models/component_tensors.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/recording_source.h"
#include "sdbench/engine/nn/synthetic_source.h"

using namespace sdbench;
using namespace sdbench::testing;

TEST_CASE("the decoder and the whole VAE have the published number of parameters") {
  RecordingSource decoder(at::kFloat);
  VaeDecoder(Weights(decoder), sd_vae(), Attention::kAuto);
  CHECK(byte_count(decoder.tensors()) / 4 == 49'490'179);

  RecordingSource all(at::kFloat);
  declare_vae_encoder(Weights(all), sd_vae());
  AutoencoderKl(Weights(all), sd_vae());
  CHECK(byte_count(all.tensors()) / 4 == 83'653'863);
}

TEST_CASE("the VAE decodes to eight times the size") {
  VaeConfig config = sd_vae();
  config.block_out_channels = {32, 32, 64, 64};
  SyntheticSource source(0, "vae", at::kFloat, at::kCPU);
  const AutoencoderKl vae(Weights(source), config);
  at::manual_seed(0);
  const at::Tensor image = vae.decode(at::randn({2, 4, 3, 5}));
  CHECK(image.sizes() == at::IntArrayRef({2, 3, 24, 40}));
  CHECK(image.isfinite().all().item<bool>());
}

TEST_CASE("a VAE may come without its attention and its extra convolution") {
  VaeConfig config = sd_vae();
  config.mid_block_add_attention = false;
  config.use_post_quant_conv = false;
  RecordingSource source(at::kFloat);
  AutoencoderKl(Weights(source), config);
  for (const TensorDeclaration& tensor : source.tensors()) {
    CHECK(tensor.name.find("attentions") == std::string::npos);
    CHECK(tensor.name.find("post_quant_conv") == std::string::npos);
  }
}

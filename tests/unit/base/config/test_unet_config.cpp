#include "catch.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model_documents.h"

#include "sdbench/base/config/component_configs.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;
using sdbench::test::error_of;
using sdbench::test::shipped;

namespace {

std::string refusal_with(const char* key, Json value) {
  Json config = shipped("sd15")["unet"];
  config[key] = std::move(value);
  return error_of([&] { return parse_unet_config(config, "unet"); });
}

using Nested = std::vector<std::vector<std::int64_t>>;

UNetConfig with(const char* key, Json value) {
  Json config = shipped("sd15")["unet"];
  config[key] = std::move(value);
  return parse_unet_config(config, "unet");
}

} // namespace

TEST_CASE("an absent UNet key means diffusers' default") {
  const UNetConfig unet = parse_unet_config(Json::object(), "unet");
  CHECK(unet.block_out_channels == std::vector<std::int64_t>{320, 640, 1280, 1280});
  CHECK(unet.cross_attention_dims.front() == 1280);
  CHECK(unet.head_counts == std::vector<std::int64_t>{8, 8, 8, 8});
}

TEST_CASE("a UNet key that is not implemented is refused by key and value") {
  CHECK(refusal_with("time_embedding_dim", 256) ==
        "unet: time_embedding_dim must be null (nothing else is implemented), but is 256");
  const std::vector<std::pair<const char*, Json>> others{
      {"class_embed_type", "projection"},
      {"conv_in_kernel", 5},
      {"only_cross_attention", true},
      {"mid_block_type", "UNetMidBlock2DSimpleCrossAttn"},
      {"addition_embed_type", "text"},
      {"encoder_hid_dim", 1024},
      {"resnet_time_scale_shift", "scale_shift"},
      {"num_attention_heads", 8},
      {"attention_type", "gated"},
      {"act_fn", "gelu"},
      {"downsample_padding", 0},
      {"center_input_sample", true},
      {"time_embedding_type", "fourier"},
  };
  for (const auto& [key, value] : others) {
    CHECK(refusal_with(key, value).find(key) != std::string::npos);
  }
}

TEST_CASE("keys that change nothing here, or that the class does not have, pass") {
  CHECK(refusal_with("dropout", 0.1).empty());
  CHECK(refusal_with("_name_or_path", "somewhere").empty());
  CHECK(refusal_with("a_key_of_a_later_version", 1).empty());
}

TEST_CASE("the width in which a UNet is told the guidance scale is even, or there is none") {
  CHECK(with("time_cond_proj_dim", 256).time_cond_proj_dim == 256);
  CHECK_FALSE(with("time_cond_proj_dim", nullptr).time_cond_proj_dim.has_value());
  CHECK(refusal_with("time_cond_proj_dim", 255).find("must be even") != std::string::npos);
  CHECK_FALSE(refusal_with("time_cond_proj_dim", 2).empty()); // one frequency has no step
}

TEST_CASE("attention scores in fp32 are asked for, not, or left open") {
  CHECK(with("upcast_attention", true).upcast_attention);
  CHECK_FALSE(with("upcast_attention", false).upcast_attention);
  CHECK_FALSE(with("upcast_attention", nullptr).upcast_attention);
  CHECK(refusal_with("upcast_attention", "fp32").find("upcast_attention") != std::string::npos);
}

TEST_CASE("one number or a list for each block are both read") {
  CHECK(with("layers_per_block", Json::array({1, 2, 3, 4})).layers_per_block ==
        std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(with("transformer_layers_per_block", 3).down_transformer_layers ==
        Nested{{3, 3}, {3, 3}, {3, 3}, {}});
  CHECK(refusal_with("layers_per_block", Json::array({1, 2})).find("list of 4") !=
        std::string::npos);
  CHECK(refusal_with("cross_attention_dim", Json::array({768, 768, 768, 1024}))
            .find("the same for all blocks") != std::string::npos);
}

TEST_CASE("a UNet may have no middle block, or one ResNet block for one") {
  CHECK(with("mid_block_type", nullptr).mid_block == UNetConfig::MidBlock::kNone);
  CHECK(with("mid_block_type", "UNetMidBlock2D").mid_block == UNetConfig::MidBlock::kResnet);
  CHECK(with("sample_size", 64).mid_block == UNetConfig::MidBlock::kCrossAttention);
}

TEST_CASE("each attention may have layers of its own, those of the up blocks stated beside") {
  Json config = shipped("sdxl")["unet"];
  config["transformer_layers_per_block"] = Json::parse("[1, [2, 3, 9], [4, 5]]");
  CHECK(error_of([&] { (void)parse_unet_config(config, "unet"); }) ==
        "unet: reverse_transformer_layers_per_block must be a list beside a nested "
        "transformer_layers_per_block, but is absent");
  config["reverse_transformer_layers_per_block"] = Json::parse("[[6, 7, 8], 2, 1]");
  const UNetConfig unet = parse_unet_config(config, "unet");
  CHECK(unet.down_transformer_layers == Nested{{}, {2, 3}, {4, 5}});
  CHECK(unet.up_transformer_layers == Nested{{6, 7, 8}, {2, 2, 2}, {}});
  CHECK(unet.mid_transformer_layers == 4);

  config["reverse_transformer_layers_per_block"] = Json::parse("[[6, 7], 2, 1]");
  CHECK(error_of([&] {
          (void)parse_unet_config(config, "unet");
        }).find("must be a number or a list of 3") != std::string::npos);
  config["reverse_transformer_layers_per_block"] = Json::parse("[1, 2]");
  CHECK(error_of([&] {
          (void)parse_unet_config(config, "unet");
        }).find("a list of 3, one for each block") != std::string::npos);
  config["reverse_transformer_layers_per_block"] = true;
  CHECK(error_of([&] { (void)parse_unet_config(config, "unet"); }).find("null or a list of 3") !=
        std::string::npos);
}

TEST_CASE("the native size may be one side or two") {
  const UNetConfig unet = with("sample_size", Json::array({64, 96}));
  CHECK(unet.sample_height == 64);
  CHECK(unet.sample_width == 96);
  CHECK(refusal_with("sample_size", Json::array({64})).find("sample_size") != std::string::npos);
  CHECK(refusal_with("sample_size", nullptr).empty());
}

TEST_CASE("groups and heads must divide the channels") {
  CHECK(refusal_with("block_out_channels", Json::array({320, 640, 1280, 1290})) ==
        "unet: block_out_channels must be divisible by norm_num_groups, 32, but is "
        "[320,640,1280,1290]");
  CHECK(refusal_with("attention_head_dim", 7).find("divides the block's 320 channels") !=
        std::string::npos);
  CHECK(refusal_with("norm_num_groups", 0).find("from 1") != std::string::npos);
}

TEST_CASE("block lists must be as long as the channels' list") {
  CHECK(refusal_with("block_out_channels", Json::array({320, 640})).find("down_block_types") !=
        std::string::npos);
  CHECK(refusal_with("block_out_channels", Json::array()).find("a list of 1 to 8") !=
        std::string::npos);
  CHECK(refusal_with("down_block_types", Json::array({"DownBlock2D"})).find("as many as the 4") !=
        std::string::npos);
  CHECK(refusal_with("up_block_types", Json::array({"ResnetUpsampleBlock2D"}))
            .find("ResnetUpsampleBlock2D") != std::string::npos);
}

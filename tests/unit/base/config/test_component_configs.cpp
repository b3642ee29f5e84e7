#include "catch.h"

#include <utility>

#include "model_documents.h"

#include "sdbench/base/config/component_configs.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;
using sdbench::test::error_of;
using sdbench::test::shipped;

namespace {

std::string vae_refusal(const char* key, Json value) {
  Json config = shipped("sd15")["vae"];
  config[key] = std::move(value);
  return error_of([&] { return parse_vae_config(config, "vae"); });
}

std::string text_refusal(const char* key, Json value) {
  Json config = shipped("sd15")["text_encoder"];
  config[key] = std::move(value);
  return error_of([&] { return parse_text_config(config, false, "text_encoder"); });
}

TokenizerConfig tokenizer(const char* text) {
  return parse_tokenizer_config(Json::parse(text), 77, "tokenizer");
}

std::string tokenizer_refusal(const char* text) {
  return error_of([&] { return tokenizer(text); });
}

} // namespace

TEST_CASE("what the VAE does not implement is refused by key and value") {
  CHECK(vae_refusal("latents_mean", Json::array({0.1, 0.2})) ==
        "vae: latents_mean must be null (nothing else is implemented), but is [0.1,0.2]");
  CHECK(vae_refusal("shift_factor", 0.1159).find("shift_factor") != std::string::npos);
  CHECK(vae_refusal("_class_name", "AutoencoderTiny").find("AutoencoderTiny") != std::string::npos);
  CHECK(vae_refusal("out_channels", 4).find("out_channels") != std::string::npos);
  CHECK(vae_refusal("scaling_factor", 0).find("scaling_factor") != std::string::npos);
  CHECK(vae_refusal("block_out_channels", Json::array({128})).find("DownEncoderBlock2D") !=
        std::string::npos);
  CHECK(vae_refusal("use_quant_conv", false).empty());
  CHECK(vae_refusal("mid_block_add_attention", false).empty());
}

TEST_CASE("the VAE's sample size is a number, or height and width") {
  const auto size_of = [](Json value) {
    Json config = shipped("sd15")["vae"];
    config["sample_size"] = std::move(value);
    return parse_vae_config(config, "vae").sample_size;
  };
  CHECK(size_of(768) == 768);
  CHECK(size_of(Json::array({64, 96})) == 64);
  CHECK(size_of(nullptr) == 32);
  CHECK(vae_refusal("sample_size", Json::array({64})).find("sample_size") != std::string::npos);
  CHECK(vae_refusal("sample_size", 0).find("sample_size") != std::string::npos);
}

TEST_CASE("what the text encoder does not implement is refused by key and value") {
  CHECK(text_refusal("hidden_act", "relu") ==
        "text_encoder: hidden_act must be \"quick_gelu\" or \"gelu\" (nothing else is "
        "implemented), but is \"relu\"");
  CHECK(text_refusal("model_type", "t5").find("t5") != std::string::npos);
  CHECK(text_refusal("vocab_size", 1000).find("49408") != std::string::npos);
  CHECK(text_refusal("use_attention_mask", true) ==
        "text_encoder: use_attention_mask must be false or null (nothing else is implemented), but "
        "is true");
  CHECK(text_refusal("use_attention_mask", false).empty());
  CHECK(text_refusal("num_attention_heads", 7).find("divisor of hidden_size") != std::string::npos);
  CHECK(text_refusal("eos_token_id", Json::array({2})).find("eos_token_id") != std::string::npos);
}

TEST_CASE("of a whole CLIPModel's config the text half is read") {
  const Json config{{"model_type", "clip"},
                    {"architectures", nullptr},
                    {"hidden_size", 1},
                    {"vision_config", Json::object()},
                    {"text_config", shipped("sd15")["text_encoder"]}};
  CHECK(parse_text_config(config, false, "text").hidden_size == 768);
  CHECK(parse_text_config(Json{{"model_type", "clip"}}, false, "text").hidden_size == 512);
  CHECK(text_refusal("transformers_weights", "mine.safetensors").find("transformers_weights") !=
        std::string::npos); // transformers would read that file
}

TEST_CASE("null counts as false where diffusers asks whether a value is true") {
  Json unet = shipped("sd15")["unet"];
  for (const char* key : {"attention_type", "center_input_sample", "class_embeddings_concat",
                          "dual_cross_attention", "flip_sin_to_cos", "resnet_out_scale_factor",
                          "resnet_skip_time_act", "upcast_attention", "use_linear_projection"}) {
    unet[key] = nullptr;
  }
  CHECK_FALSE(parse_unet_config(unet, "unet").flip_sin_to_cos); // whose default is true
  CHECK_FALSE(parse_unet_config(unet, "unet").use_linear_projection);
  for (const char* key : {"force_upcast", "use_quant_conv", "use_post_quant_conv"}) {
    CHECK(vae_refusal(key, nullptr).empty());
  }
  CHECK(vae_refusal("scaling_factor", nullptr).find("scaling_factor") != std::string::npos);
}

TEST_CASE("the projection belongs to the class, not to the key") {
  const Json config = shipped("sd15")["text_encoder"]; // has projection_dim 768
  CHECK_FALSE(parse_text_config(config, false, "text").projection_dim.has_value());
  CHECK(parse_text_config(config, true, "text").projection_dim == 768);
  CHECK(parse_text_config(Json::object(), true, "text").projection_dim == 512);
}

TEST_CASE("special tokens' flags are those that transformers ends with") {
  // Seen with transformers 5.23: of several keys that name one token, the last one's flag holds.
  const TokenizerConfig sd15 = parse_tokenizer_config(shipped("sd15")["tokenizer"], 77, "t");
  CHECK(sd15.bos_normalized);
  CHECK_FALSE(sd15.eos_normalized);
  CHECK_FALSE(sd15.pad_normalized);
  for (const auto& [model, key] :
       {std::pair{"sd21", "tokenizer"}, {"sdxl", "tokenizer_2"}, {"sdxl-turbo", "tokenizer_2"}}) {
    const TokenizerConfig other = parse_tokenizer_config(shipped(model)[key], 77, "t");
    CHECK(other.bos_normalized);
    CHECK(other.eos_normalized);
    CHECK_FALSE(other.pad_normalized);
    CHECK(other.pad_token_id == 0);
  }
  const TokenizerConfig turbo = parse_tokenizer_config(shipped("sdxl-turbo")["tokenizer"], 77, "t");
  CHECK(turbo.eos_normalized);
  CHECK(turbo.pad_normalized);
}

TEST_CASE("an empty tokenizer config means CLIP's own") {
  const TokenizerConfig config = tokenizer("{}");
  CHECK(config.pad_token_id == 49407);
  CHECK(config.max_length == 77);
  CHECK_FALSE(config.bos_normalized);
  CHECK_FALSE(config.eos_normalized);
}

TEST_CASE("what a tokenizer does at another end, or to its special tokens, is refused by name") {
  CHECK(tokenizer_refusal(R"({"padding_side": "left"})") ==
        "tokenizer: padding_side must be \"right\" (nothing else is implemented), but is \"left\"");
  CHECK(tokenizer_refusal(R"({"truncation_side": "left"})").find("truncation_side") !=
        std::string::npos);
  CHECK(tokenizer_refusal(R"({"split_special_tokens": true})").find("split_special_tokens") !=
        std::string::npos);
  CHECK(
      tokenizer_refusal(
          R"({"padding_side": "right", "truncation_side": "right", "split_special_tokens": null})")
          .empty());
}

TEST_CASE("a length that was never set means the encoder's") {
  CHECK(tokenizer(R"({"model_max_length": 1000000000000000019884624838656})").max_length == 77);
  CHECK(tokenizer(R"({"model_max_length": null})").max_length == 77);
  CHECK(tokenizer(R"({"model_max_length": 32})").max_length == 32);
  CHECK(tokenizer_refusal(R"({"model_max_length": 78})").find("from 3 to 77") != std::string::npos);
}

TEST_CASE("tokens that textual inversion added are read with their ids and flags") {
  const TokenizerConfig config = tokenizer(R"({"added_tokens_decoder": {
      "49407": {"content": "<|endoftext|>", "special": true}, "49408": {"content": "<cat>"},
      "49410": {"content": "<Dog>", "normalized": false}}})");
  REQUIRE(config.added_tokens.size() == 2);
  CHECK(config.added_tokens[0].content == "<cat>");
  CHECK(config.added_tokens[0].id == 49408);
  CHECK(config.added_tokens[0].normalized);
  CHECK(config.added_tokens[1].id == 49410);
  CHECK_FALSE(config.added_tokens[1].normalized);
}

TEST_CASE("an added token needs a row in its text encoder") {
  Json document = shipped("tiny-sd15");
  document["tokenizer"]["added_tokens_decoder"]["49408"] = {{"content", "<cat>"}};
  CHECK(test::error_of([&] { (void)parse_model_config(document, "mine"); }) ==
        "mine: tokenizer: the id of the added token \"<cat>\" must be below its text encoder's "
        "vocab_size, 49408, but is 49408; save the text encoder with resized embeddings beside it");
  document["text_encoder"]["vocab_size"] = 49409;
  CHECK(parse_model_config(document, "mine").text_encoders[0].tokenizer.added_tokens.size() == 1);
}

TEST_CASE("added tokens that cannot be and other special tokens are refused by name") {
  CHECK(tokenizer_refusal(R"({"added_tokens_decoder": {"320": {"content": "<cat>"}}})")
            .find("<cat>") != std::string::npos);
  CHECK(
      tokenizer_refusal(R"({"added_tokens_decoder": {"49408": {"content": "a", "rstrip": true}}})")
          .find("rstrip") != std::string::npos);
  CHECK(tokenizer_refusal(R"({"added_tokens_decoder": {"5": {"content": "!"}}})").find("\"5\"") !=
        std::string::npos);
  CHECK(tokenizer_refusal(R"({"pad_token": "<pad>"})").find("<pad>") != std::string::npos);
  CHECK(tokenizer_refusal(R"({"bos_token": {"content": "<s>"}})").find("<s>") != std::string::npos);
  CHECK(tokenizer_refusal(R"({"eos_token": {"content": "<|endoftext|>", "lstrip": true}})")
            .find("lstrip") != std::string::npos);
  CHECK(tokenizer_refusal(R"({"tokenizer_class": "T5Tokenizer"})").find("T5Tokenizer") !=
        std::string::npos);
  CHECK(tokenizer_refusal(R"({"additional_special_tokens": ["<x>"]})").find("<x>") !=
        std::string::npos);
}

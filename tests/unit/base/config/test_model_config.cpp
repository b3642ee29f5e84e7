#include "catch.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model_documents.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;
using sdbench::test::refusal;
using sdbench::test::shipped;
using Values = std::vector<std::int64_t>;

namespace {

ModelConfig read_model(const char* name) {
  return parse_model_config(shipped(name), name);
}

/// `document` with one key of a component changed.
Json with(Json document, const char* component, const char* key, Json value) {
  document[component][key] = std::move(value);
  return document;
}

std::string refusal_with(const char* model, const char* component, const char* key, Json value) {
  return refusal(with(shipped(model), component, key, std::move(value)));
}

} // namespace

TEST_CASE("sd15 is what its repository's configs say") {
  const ModelConfig model = read_model("sd15");
  CHECK(model.name == "sd15");
  CHECK(model.pipeline == PipelineClass::kStableDiffusion);
  CHECK(unet_of(model).block_out_channels == Values{320, 640, 1280, 1280});
  CHECK(unet_of(model).down_block_has_attention == std::vector<bool>{true, true, true, false});
  CHECK(unet_of(model).up_block_has_attention == std::vector<bool>{false, true, true, true});
  CHECK(unet_of(model).head_counts == Values{8, 8, 8, 8});
  CHECK(unet_of(model).layers_per_block == Values{2, 2, 2, 2});
  CHECK(unet_of(model).down_transformer_layers == std::vector<Values>{{1, 1}, {1, 1}, {1, 1}, {}});
  CHECK(unet_of(model).mid_transformer_layers == 1);
  CHECK(unet_of(model).cross_attention_dims == Values{768, 768, 768, 768});
  CHECK_FALSE(unet_of(model).use_linear_projection);
  CHECK_FALSE(unet_of(model).addition_time_embed_dim.has_value());
  CHECK(model.vae.scaling_factor == 0.18215); // absent from the file
  CHECK(model.vae.scale_factor() == 8);
  CHECK(model.vae.force_upcast);
  CHECK(model.text_encoders[0].model.activation == ClipTextConfig::Activation::kQuickGelu);
  CHECK(model.text_encoders[0].model.eos_token_id == 2);
  CHECK_FALSE(model.text_encoders[0].model.projection_dim.has_value());
  CHECK(model.text_encoders.size() == 1);
  CHECK(model.text_encoders[0].tokenizer.pad_token_id == 49407);
  CHECK(model.defaults.steps == 50);
  CHECK(model.defaults.guidance == 7.5);
  CHECK(model.defaults.width == 512);
  CHECK(model.repositories.front() == "stable-diffusion-v1-5/stable-diffusion-v1-5");
}

TEST_CASE("sd15's PNDM scheduler becomes Euler as diffusers converts it") {
  const SchedulerConfig scheduler = read_model("sd15").scheduler;
  CHECK(scheduler.source_class == "PNDMScheduler");
  CHECK(scheduler.timestep_spacing == TimestepSpacing::kLinspace); // absent from the file
  CHECK(scheduler.steps_offset == 1);
  CHECK(scheduler.beta_schedule == BetaSchedule::kScaledLinear);
  CHECK(scheduler.prediction_type == PredictionType::kEpsilon);
}

TEST_CASE("sd21 predicts velocity, has linear projections and pads with '!'") {
  const ModelConfig model = read_model("sd21");
  CHECK(model.scheduler.prediction_type == PredictionType::kVPrediction);
  CHECK(model.scheduler.source_class == "DDIMScheduler");
  CHECK(unet_of(model).use_linear_projection);
  CHECK(unet_of(model).head_counts == Values{5, 10, 20, 20});
  CHECK(model.text_encoders[0].model.layer_count == 23);
  CHECK(model.text_encoders[0].model.activation == ClipTextConfig::Activation::kGelu);
  CHECK(model.text_encoders[0].tokenizer.pad_token_id == 0);
  CHECK(model.defaults.width == 768);
}

TEST_CASE("sdxl has two text encoders, micro-conditioning and a zeroed empty prompt") {
  const ModelConfig model = read_model("sdxl");
  CHECK(model.pipeline == PipelineClass::kStableDiffusionXl);
  CHECK(unet_of(model).down_transformer_layers == std::vector<Values>{{}, {2, 2}, {10, 10}});
  CHECK(unet_of(model).up_transformer_layers == std::vector<Values>{{10, 10, 10}, {2, 2, 2}, {}});
  CHECK(unet_of(model).mid_transformer_layers == 10);
  CHECK(unet_of(model).addition_time_embed_dim == 256);
  CHECK(unet_of(model).projection_class_embeddings_input_dim == 2816);
  CHECK(model.text_encoders[1].model.projection_dim == 1280);
  CHECK(model.text_encoders[0].tokenizer.pad_token_id == 49407);
  CHECK(model.text_encoders[1].tokenizer.pad_token_id == 0);
  CHECK(model.force_zeros_for_empty_prompt);
  CHECK(model.vae.scaling_factor == 0.13025);
  CHECK(model.scheduler.timestep_spacing == TimestepSpacing::kLeading);
  CHECK(model.defaults.guidance == 5.0);
  CHECK(model.defaults.height == 1024);
}

TEST_CASE("sdxl-turbo takes one step without guidance") {
  const ModelConfig model = read_model("sdxl-turbo");
  CHECK(model.defaults.steps == 1);
  CHECK(model.defaults.guidance == 0.0);
  CHECK(model.defaults.width == 512);
  CHECK(model.scheduler.source_class == "EulerAncestralDiscreteScheduler");
  CHECK(model.scheduler.timestep_spacing == TimestepSpacing::kTrailing);
}

TEST_CASE("sd-turbo is SD 2.1's parts, and takes one step of 512 pixels without guidance") {
  const ModelConfig model = read_model("sd-turbo");
  const ModelConfig sd21 = read_model("sd21");
  CHECK(model.defaults.steps == 1);
  CHECK(model.defaults.guidance == 0.0);
  CHECK(model.defaults.width == 512);
  CHECK(model.scheduler.prediction_type == PredictionType::kEpsilon);
  CHECK(model.scheduler.timestep_spacing == TimestepSpacing::kTrailing);
  CHECK(unet_of(model).head_counts == unet_of(sd21).head_counts);
  CHECK(unet_of(model).cross_attention_dims == unet_of(sd21).cross_attention_dims);
  CHECK(model.text_encoders[0].model.layer_count == sd21.text_encoders[0].model.layer_count);
  CHECK(model.text_encoders[0].tokenizer.pad_token_id ==
        sd21.text_encoders[0].tokenizer.pad_token_id);
}

TEST_CASE("the tiny models have the structure of the large ones") {
  for (const auto& [tiny, large] : {std::pair{"tiny-sd15", "sd15"}, {"tiny-sdxl", "sdxl"}}) {
    const ModelConfig small = read_model(tiny);
    const ModelConfig full = read_model(large);
    CHECK(small.pipeline == full.pipeline);
    CHECK(unet_of(small).down_block_has_attention == unet_of(full).down_block_has_attention);
    CHECK(unet_of(small).up_block_has_attention == unet_of(full).up_block_has_attention);
    CHECK(unet_of(small).use_linear_projection == unet_of(full).use_linear_projection);
    CHECK(small.vae.scale_factor() == full.vae.scale_factor());
    CHECK(small.scheduler.source_class == full.scheduler.source_class);
    CHECK(small.text_encoders.size() == full.text_encoders.size());
  }
}

TEST_CASE("a config parsed again from its source is the same") {
  for (const char* name :
       {"sd15", "sd21", "sd-turbo", "sdxl", "sdxl-turbo", "tiny-sd15", "tiny-sdxl"}) {
    const ModelConfig model = read_model(name);
    const ModelConfig again = parse_model_config(model.source, "worker");
    CHECK(again.source == model.source);
    CHECK(again.name == model.name);
    CHECK(again.defaults.steps == model.defaults.steps);
    CHECK(again.repositories == model.repositories);
  }
}

TEST_CASE("the refiner, inpainting and image-to-image models are refused by name") {
  CHECK(refusal_with("sdxl", "pipeline", "_class_name", "StableDiffusionXLImg2ImgPipeline")
            .find("refiner") != std::string::npos);
  CHECK(refusal_with("sdxl", "pipeline", "requires_aesthetics_score", true).find("refiner") !=
        std::string::npos);
  CHECK(refusal_with("sd15", "pipeline", "_class_name", "StableDiffusionInpaintPipeline")
            .find("inpainting") != std::string::npos);
  CHECK(refusal_with("sd15", "unet", "in_channels", 9).find("inpainting") != std::string::npos);
  CHECK(refusal_with("sd15", "unet", "in_channels", 8).find("img2img") != std::string::npos);
  CHECK(refusal_with("sd15", "unet", "in_channels", 5).find("depth") != std::string::npos);
}

TEST_CASE("unknown pipelines and component classes are refused by name") {
  const Json flax = Json::array({"diffusers", "FlaxUNet2DConditionModel"});
  const Json t5 = Json::array({"transformers", "T5EncoderModel"});
  CHECK(refusal_with("sd15", "pipeline", "_class_name", "FluxPipeline") ==
        "model.json: pipeline: _class_name must be StableDiffusionPipeline or "
        "StableDiffusionXLPipeline (no other pipeline is supported), but is \"FluxPipeline\"");
  CHECK(refusal_with("sd15", "pipeline", "unet", flax).find("FlaxUNet2DConditionModel") !=
        std::string::npos);
  CHECK(refusal_with("sd15", "pipeline", "text_encoder", t5).find("T5EncoderModel") !=
        std::string::npos);
  CHECK(refusal_with("sdxl", "pipeline", "text_encoder", Json::array({nullptr, nullptr}))
            .find("text_encoder") != std::string::npos);
  CHECK(refusal_with("sd15", "text_encoder", "architectures", Json::array({"T5EncoderModel"}))
            .find("T5EncoderModel") != std::string::npos);
}

TEST_CASE("parts that do not fit each other are refused") {
  CHECK(refusal_with("sd15", "text_encoder", "hidden_size", 1536).find("cross_attention_dim") !=
        std::string::npos);
  CHECK(refusal_with("sdxl", "unet", "addition_time_embed_dim", 128)
            .find("projection_class_embeddings_input_dim") != std::string::npos);
  CHECK(refusal_with("sd15", "vae", "latent_channels", 16).find("latent_channels") !=
        std::string::npos);
  CHECK(refusal_with("sd15", "unet", "out_channels", 8).find("out_channels") != std::string::npos);
  CHECK(refusal_with("sdxl", "unet", "addition_embed_type", nullptr).find("text_time") !=
        std::string::npos);
  // A LongCLIP beside CLIP-G
  Json document = shipped("sdxl");
  document["text_encoder"]["max_position_embeddings"] = 248;
  CHECK(refusal(document).empty()); // its tokenizer says 77
  document["tokenizer"]["model_max_length"] = 248;
  CHECK(refusal(document) ==
        "model.json: tokenizer and tokenizer_2 must have one model_max_length, because SDXL joins "
        "both "
        "text "
        "encoders' states token by token, but have 248 and 77; set both to the smaller one");
}

TEST_CASE("a document must have every part, and no other key") {
  for (const char* part : {"pipeline", "unet", "vae", "text_encoder", "text_encoder_2", "tokenizer",
                           "tokenizer_2", "scheduler"}) {
    Json document = shipped("sdxl");
    document.erase(part);
    CHECK(refusal(document) ==
          "model.json: " + std::string(part) + " must be there, but is missing");
  }
  Json document = shipped("sd15");
  document["sheduler"] = 1;
  CHECK(refusal(document) == "model.json: unknown key \"sheduler\"; did you mean \"scheduler\"?");
}

TEST_CASE("defaults are checked against the model") {
  CHECK(refusal_with("sd15", "defaults", "width", 100).find("divisible by 8") != std::string::npos);
  CHECK(refusal_with("sd15", "defaults", "steps", 0).find("from 1 to 1000") != std::string::npos);
  CHECK(refusal_with("sd15", "defaults", "guidence", 5).find("\"guidance\"") != std::string::npos);
  Json document = shipped("sdxl");
  document.erase("defaults");
  const ModelDefaults defaults = parse_model_config(document, "model.json").defaults;
  CHECK(defaults.steps == 50);
  CHECK(defaults.guidance == 5.0);
  CHECK(defaults.width == 1024);
}

TEST_CASE("wrong types anywhere give one line, not a crash") {
  const std::vector<Json> hostile{nullptr,
                                  true,
                                  -1,
                                  1e300,
                                  "x",
                                  Json::array(),
                                  18446744073709551615u,
                                  Json::object(),
                                  Json::array({Json::array({1})})};
  const Json original = shipped("sdxl");
  for (const auto& [part, component] : original.items()) {
    for (const Json& value : hostile) {
      Json document = original;
      document[part] = value;
      CHECK(refusal(document).find("MORE THAN ONE LINE") == std::string::npos);
      if (!component.is_object()) {
        continue;
      }
      for (const auto& [key, old] : component.items()) {
        document = original;
        document[part][key] = value;
        const std::string message = refusal(document);
        CHECK(message.find("MORE THAN ONE LINE") == std::string::npos);
        CHECK(message.size() < 400);
      }
    }
  }
}

TEST_CASE("a small sample_size of an old SD 1 config means 64, as in diffusers") {
  const auto default_width = [](const char* model, const char* version) {
    Json document = with(shipped(model), "unet", "sample_size", 32);
    document.erase("defaults");
    document["unet"]["_diffusers_version"] = version;
    return parse_model_config(document, model).defaults.width;
  };
  CHECK(default_width("sd15", "0.6.0.dev0") == 512);
  CHECK(default_width("sd15", "0.8.1") == 512);
  CHECK(default_width("sd15", "0.9.0") == 256);
  CHECK(default_width("sd15", "0.21.4") == 256);
  CHECK(default_width("sd15", "1.0.0") == 256);
  CHECK(default_width("sdxl", "0.6.0") == 256);
}

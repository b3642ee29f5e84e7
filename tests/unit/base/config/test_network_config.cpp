#include "sdbench/base/config/network_config.h"

#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "model_documents.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;
using sdbench::test::refusal;
using sdbench::test::shipped;
using Values = std::vector<std::int64_t>;

namespace {

/// What is said of a shipped network with one key of it changed.
std::string refusal_with(const char* model, const char* key, Json value) {
  Json document = shipped(model);
  document["network"][key] = std::move(value);
  return refusal(document);
}

std::string refusal_without(const char* model, const char* key) {
  Json document = shipped(model);
  document["network"].erase(key);
  return refusal(document);
}

} // namespace

TEST_CASE("the published networks are what their papers and torchvision say") {
  const NetworkConfig vgg = find_model_config("vgg16").network.value();
  CHECK(vgg.kind == NetworkKind::kVgg);
  CHECK(vgg.layers == Values{2, 2, 3, 3, 3});
  CHECK(vgg.channels == Values{64, 128, 256, 512, 512});
  CHECK(vgg.dropout == 0.5);
  const NetworkConfig resnet = find_model_config("resnet152").network.value();
  CHECK(resnet.layers == Values{3, 8, 36, 3});
  CHECK(resnet.expansion == 4);
  const NetworkConfig densenet = find_model_config("densenet161").network.value();
  CHECK(densenet.layers == Values{6, 12, 36, 24});
  CHECK(densenet.growth_rate == 48);
  CHECK(densenet.stem_channels == 96);
  const NetworkConfig wide = find_model_config("wrn28-10").network.value();
  CHECK(6 * wide.layers.front() + 4 == 28);
  CHECK(wide.widen_factor == 10);
  CHECK(find_model_config("cnn10").network.value().channels == Values{64, 128, 256});
}

TEST_CASE("a network is a known model without a pipeline, of its images' size") {
  const ModelConfig model = find_model_config("vgg16");
  CHECK(is_known(model));
  CHECK(model.name == "vgg16");
  CHECK(model.defaults.width == 224);
  CHECK(model.defaults.height == 224);
  CHECK(model.repositories.empty());
  CHECK(unet_of(model).block_out_channels.empty());
  CHECK(model.vae.scale_factor() == 1);
  const ModelConfig again = parse_model_config(model.source, "vgg16");
  CHECK(again.source == model.source);
  CHECK(again.network->layers == model.network->layers);
  CHECK_FALSE(find_model_config("sd15").network.has_value());
}

TEST_CASE("what may be left out of a network has the usual value") {
  Json document = shipped("vgg16");
  for (const char* key : {"input_channels", "image_size", "classes", "dropout"}) {
    document["network"].erase(key);
  }
  const ModelConfig model = parse_model_config(document, "model.json");
  CHECK(model.network->input_channels == 3);
  CHECK(model.network->classes == 1000);
  CHECK(model.network->dropout == 0.5);
  CHECK(model.defaults.width == 224);
}

TEST_CASE("networks of another architecture have another id") {
  Json document = shipped("vgg16");
  document["license"] = "another";
  CHECK(architecture_id(parse_model_config(document, "a")) ==
        architecture_id(find_model_config("vgg16")));
  document["network"]["classes"] = 10;
  CHECK(architecture_id(parse_model_config(document, "a")) !=
        architecture_id(find_model_config("vgg16")));
}

TEST_CASE("an unknown key of a network is refused by its name") {
  CHECK(refusal_with("vgg16", "hiden", 1) ==
        "model.json: network: unknown key \"hiden\" of a vgg; did you mean \"hidden\"?");
  CHECK(refusal_with("vgg16", "growth_rate", 1).find("unknown key \"growth_rate\" of a vgg") !=
        std::string::npos);
  Json document = shipped("vgg16");
  document["licence"] = "x";
  CHECK(refusal(document) == "model.json: unknown key \"licence\"; did you mean \"license\"?");
}

TEST_CASE("a network's document has no parts of a pipeline") {
  for (const char* part : {"pipeline", "unet", "defaults", "repositories"}) {
    Json document = shipped("vgg16");
    document[part] = Json::object();
    CHECK(refusal(document) == "model.json: " + std::string(part) +
                                   " must be left out beside network, but is there: a network "
                                   "has no parts of a pipeline");
  }
}

TEST_CASE("a network without what its kind needs is refused by what is missing") {
  CHECK(refusal_without("vgg16", "kind") ==
        "model.json: network: kind must be one of vgg, resnet, densenet, cnn, wide_resnet, but is "
        "absent");
  CHECK(refusal_with("vgg16", "kind", "vit").find("but is \"vit\"") != std::string::npos);
  for (const auto& [model, key] :
       std::vector<std::pair<const char*, const char*>>{{"vgg16", "layers"},
                                                        {"vgg16", "channels"},
                                                        {"vgg16", "hidden"},
                                                        {"vgg16", "pooled_size"},
                                                        {"resnet152", "expansion"},
                                                        {"resnet152", "stem_channels"},
                                                        {"densenet161", "growth_rate"},
                                                        {"densenet161", "bottleneck"},
                                                        {"wrn28-10", "widen_factor"}}) {
    CAPTURE(model, key);
    CHECK(refusal_without(model, key) ==
          "model.json: network: " + std::string(key) + " must be there, but is absent");
  }
}

TEST_CASE("a network's numbers are checked") {
  CHECK(refusal_with("vgg16", "channels", {64, 128}) ==
        "model.json: network: channels must be a list of 5, one for each stage of layers, but is "
        "[64,128]");
  CHECK(refusal_with("vgg16", "layers", Json::array()).find("a list for 1 to 8 stages") !=
        std::string::npos);
  CHECK(refusal_with("resnet152", "layers", Values(9, 1)).find("a list for 1 to 8 stages") !=
        std::string::npos);
  CHECK(refusal_with("resnet152", "layers", {3, 0}).find("from 1 to 256") != std::string::npos);
  CHECK(refusal_with("vgg16", "dropout", 1.5).find("a number from 0") != std::string::npos);
  CHECK(refusal_with("vgg16", "classes", 0).find("from 1") != std::string::npos);
  CHECK(refusal_with("vgg16", "hidden", "x").find("but is \"x\"") != std::string::npos);
}

TEST_CASE("an image that the pools leave nothing of is refused") {
  for (const auto& [model, least] : std::vector<std::pair<const char*, std::int64_t>>{
           {"vgg16", 32}, {"cnn10", 4}, {"densenet161", 32}, {"resnet152", 1}, {"wrn28-10", 1}}) {
    CAPTURE(model);
    CHECK(refusal_with(model, "image_size", least).empty());
    CHECK(refusal_with(model, "image_size", least - 1)
              .find("image_size must be an integer from " + std::to_string(least)) !=
          std::string::npos);
  }
}

TEST_CASE("wrong types anywhere in a network give one line, not a crash") {
  const std::vector<Json> hostile{nullptr,
                                  true,
                                  -1,
                                  1e300,
                                  "x",
                                  Json::array(),
                                  18446744073709551615u,
                                  Json::object(),
                                  Json::array({Json::array({1})})};
  for (const char* model : {"vgg16", "resnet152", "densenet161", "cnn10", "wrn28-10"}) {
    const Json original = shipped(model);
    for (const Json& value : hostile) {
      Json document = original;
      document["network"] = value;
      CHECK(refusal(document).starts_with("model.json: network"));
      for (const auto& [key, old] : original["network"].items()) {
        const std::string message = refusal_with(model, key.c_str(), value);
        CHECK(message.find("MORE THAN ONE LINE") == std::string::npos);
        CHECK(message.starts_with("model.json: network: "));
        CHECK(message.size() < 400);
      }
    }
  }
}

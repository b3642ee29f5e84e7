#include "catch.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "replayed_work.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/text_encoder.h"

using namespace sdbench;

namespace {

/// A model's text encoders on the CPU.
struct Encoders {
  explicit Encoders(const char* name) : config(find_model_config(name)) {
    for (const TextEncoderConfig& encoder : config.text_encoders) {
      SyntheticSource source(0, folder_name(encoder.component), at::kFloat, at::kCPU);
      models.push_back(make_text_encoder(encoder, family_of(config.pipeline), Weights(source)));
    }
  }
  [[nodiscard]] PromptEncoder encoder(bool joins_halves) const {
    return {config, at::kFloat, at::kCPU, joins_halves};
  }

  ModelConfig config;
  TextEncoders models;
};

/// A batch of texts, and how it is encoded.
struct Request {
  std::vector<std::string> prompts;
  std::optional<std::string> negative = {};
  double guidance = 5;
  std::int64_t clip_skip = 0;
};

Conditioning encoded(PromptEncoder& encoder, const Encoders& encoders, const Request& request,
                     GraphedTexts* graphed = nullptr) {
  return encoder.encode(encoders.models, request.prompts, request.negative, request.guidance, 64,
                        48, request.clip_skip, graphed);
}

void check_equal(const Conditioning& ours, const Conditioning& wanted, double tolerance) {
  CHECK(ours.guided == wanted.guided);
  CHECK(at::allclose(ours.context, wanted.context, tolerance, tolerance));
  REQUIRE(ours.pooled.defined() == wanted.pooled.defined());
  if (wanted.pooled.defined()) {
    CHECK(at::allclose(ours.pooled, wanted.pooled, tolerance, tolerance));
    CHECK(at::equal(ours.time_ids, wanted.time_ids));
  }
}

} // namespace

TEST_CASE("texts are replayed with their own words; what is not the same work is recorded anew") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    for (const bool joins_halves : {false, true}) {
      CAPTURE(model, joins_halves);
      const Encoders encoders(model);
      PromptEncoder encoder = encoders.encoder(joins_halves);
      std::string log;
      GraphedTexts graphed(std::make_unique<ReplayedWork>(log));
      const auto check_run = [&](const Request& request) {
        const Conditioning wanted = encoded(encoder, encoders, request);
        check_equal(encoded(encoder, encoders, request, &graphed), wanted, 0);
        graphed.end_run();
      };
      check_run({.prompts = {"a cat"}, .negative = "ugly"});
      check_run({.prompts = {"a dog"}, .negative = "blurred"});
      check_run({.prompts = {"a house by the sea"}, .negative = ""});
      CHECK(log == "wcrr");
      check_run({.prompts = {"a cat"}}); // SDXL's zeros; others encode an empty text
      check_run({.prompts = {"a dog"}});
      const bool has_zeros = encoders.config.force_zeros_for_empty_prompt;
      CHECK(log == (has_zeros ? "wcrrwcr" : "wcrrrr"));
      log.clear();
      check_run({.prompts = {"a cat"}, .guidance = 1});
      check_run({.prompts = {"a cat"}, .negative = "ugly", .clip_skip = 1});
      check_run({.prompts = {"a dog"}, .negative = "blurred", .clip_skip = 1});
      check_run({.prompts = {"a cat", "a dog"}, .negative = "ugly"});
      CHECK(log == "wcwcrwc");
    }
  }
}

TEST_CASE("prompts and negative prompts of one batch have the states that each has alone") {
  const c10::InferenceMode inference;
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    CAPTURE(model);
    const Encoders encoders(model);
    PromptEncoder joined = encoders.encoder(true);
    PromptEncoder apart = encoders.encoder(false);
    for (const Request& request :
         {Request{.prompts = {"a cat", "a house"}, .negative = "ugly"},
          Request{.prompts = {"a cat"}}, Request{.prompts = {"a cat"}, .guidance = 1},
          Request{.prompts = {"a cat"}, .negative = "ugly", .clip_skip = 1}}) {
      check_equal(encoded(joined, encoders, request), encoded(apart, encoders, request), 1e-5);
    }
  }
}

TEST_CASE("a size's time ids are made once, and another size has its own") {
  const c10::InferenceMode inference;
  const Encoders encoders("tiny-sdxl");
  PromptEncoder encoder = encoders.encoder(false);
  const auto ids_of = [&](std::int64_t width, std::int64_t height) {
    return encoder.encode(encoders.models, {"a cat"}, {}, 5, width, height, 0).time_ids;
  };
  const at::Tensor first = ids_of(64, 48);
  CHECK(ids_of(64, 48).const_data_ptr() == first.const_data_ptr());
  CHECK(at::equal(ids_of(48, 64)[0], at::tensor({64., 48., 0., 0., 64., 48.}, at::kFloat)));
  CHECK(at::equal(ids_of(64, 48), first));
}

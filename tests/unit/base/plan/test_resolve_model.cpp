#include "sdbench/base/plan/resolve_model.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "tiny_checkpoint.h"

using namespace sdbench;

namespace {

/// Writes a diffusers folder with the configs of a shipped architecture and, for the UNet, a file
/// that looks like weights.
std::filesystem::path write_folder(const test::ScratchFolder& scratch, const std::string& name,
                                   const std::string& model, bool with_weights) {
  const Json source = find_model_config(model).source;
  Json index = source.at("pipeline");
  scratch.write(name + "/model_index.json", index.dump());
  for (const char* component : {"unet", "vae", "text_encoder", "text_encoder_2"}) {
    if (source.contains(component)) {
      scratch.write(name + "/" + component + "/config.json", source.at(component).dump());
    }
  }
  for (const char* tokenizer : {"tokenizer", "tokenizer_2"}) {
    if (source.contains(tokenizer)) {
      scratch.write(name + "/" + tokenizer + "/tokenizer_config.json", source.at(tokenizer).dump());
    }
  }
  scratch.write(name + "/scheduler/scheduler_config.json", source.at("scheduler").dump());
  if (with_weights) {
    scratch.write(name + "/unet/diffusion_pytorch_model.safetensors", "");
  }
  return scratch.path() / name;
}

ResolvedModel resolve_model(const std::string& model, const std::string& weights) {
  return ModelResolver().resolve(model, weights);
}

/// No weights of this machine may decide a test.
struct NoWeightsAround {
  test::ScratchFolder empty;
  NoWeightsAround() {
    ::unsetenv("SDBENCH_WEIGHTS");
    ::setenv("HF_HUB_CACHE", empty.path().c_str(), 1);
  }
};

} // namespace

TEST_CASE("a model alone gets synthetic weights, said to be a fallback") {
  const NoWeightsAround none;
  const ResolvedModel resolved = resolve_model("tiny-sd15", "");
  CHECK(resolved.model.name == "tiny-sd15");
  CHECK(resolved.weights.kind == WeightsLocation::Kind::kSynthetic);
  CHECK(resolved.weights.fallback);
  CHECK_FALSE(resolve_model("tiny-sd15", "synthetic:7").weights.fallback);
}

TEST_CASE("a network's folder, as export-weights writes it, brings architecture and weights") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  scratch.write("net/architecture.json", find_model_config("cnn10").source.dump());
  const auto file = test::write_tensor(scratch.path() / "net/model.safetensors", "a");
  const std::string folder = scratch.path() / "net";
  for (const auto& [model, weights] :
       {std::pair<std::string, std::string>{folder, ""}, {"", folder}, {folder, folder}}) {
    const ResolvedModel resolved = resolve_model(model, weights);
    CHECK(resolved.model.name == "cnn10");
    CHECK(resolved.weights.path == file);
  }
  CHECK(resolve_model(folder, "synthetic").weights.kind == WeightsLocation::Kind::kSynthetic);
}

TEST_CASE("a folder of weights alone brings its own architecture and name") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  const auto folder = write_folder(scratch, "mine", "tiny-sdxl", true);
  const ResolvedModel resolved = resolve_model("", folder);
  CHECK(resolved.model.pipeline == PipelineClass::kStableDiffusionXl);
  CHECK(resolved.model.name == "mine");
  CHECK(resolved.weights.path == folder);
}

TEST_CASE("a model named beside a folder gives name and defaults, the folder the configs") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  const auto folder = write_folder(scratch, "mine", "tiny-sd15", true);
  const ResolvedModel resolved = resolve_model("tiny-sd15", folder);
  CHECK(resolved.model.name == "tiny-sd15");
  CHECK(resolved.model.defaults.steps == find_model_config("tiny-sd15").defaults.steps);
  CHECK(resolved.weights.path == folder);
}

TEST_CASE("a model that is not the folder's is refused") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  const auto folder = write_folder(scratch, "mine", "tiny-sd15", true);
  CHECK_THROWS_AS(resolve_model("sd15", folder), UsageError);
}

TEST_CASE("a model folder brings its own weights, or none if it holds configs alone") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  const auto whole = write_folder(scratch, "whole", "tiny-sd15", true);
  CHECK(resolve_model(whole, "").weights.path == whole);
  const auto configs = write_folder(scratch, "configs", "tiny-sd15", false);
  CHECK(resolve_model(configs, "").weights.kind == WeightsLocation::Kind::kSynthetic);
}

TEST_CASE("a folder without an index is what the user says, with the configs that it has") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  const auto folder = write_folder(scratch, "mine", "tiny-sd15", true);
  std::filesystem::remove(folder / "model_index.json");
  std::filesystem::remove_all(folder / "vae");
  scratch.write("mine/scheduler/scheduler_config.json", R"({"_class_name": "DDIMScheduler"})");
  const ResolvedModel resolved = resolve_model("tiny-sd15", folder);
  CHECK(resolved.model.name == "tiny-sd15");
  CHECK(resolved.model.scheduler.source_class == "DDIMScheduler");
  CHECK(resolved.model.scheduler.beta_schedule == BetaSchedule::kLinear);
  CHECK(resolved.weights.path == folder);
  CHECK_THROWS_AS(resolve_model("sd15", folder), UsageError);
  CHECK_THROWS_WITH(resolve_model("", folder),
                    Catch::Matchers::ContainsSubstring("name the architecture with --model"));
}

TEST_CASE("weights without any config need a model's name") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  scratch.write("bare/unet/diffusion_pytorch_model.safetensors", "");
  CHECK_THROWS_WITH(resolve_model("", scratch.path() / "bare"),
                    Catch::Matchers::ContainsSubstring("name the architecture with --model"));
  CHECK_THROWS_AS(resolve_model("", scratch.path() / "nowhere"), Error);
}

TEST_CASE("a single file's model is its family's, changed by what its markers say") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  const auto model_of = [&](const std::vector<std::string>& names, const std::string& named = "") {
    std::vector<TensorDeclaration> tensors{
        {"model.diffusion_model.input_blocks.0.0.weight", Dtype::kF16, {1, 4, 1, 1}}};
    for (const std::string& name : names) {
      tensors.push_back({name, Dtype::kF16, {1}});
    }
    return resolve_model(named, test::write_tensors(scratch.path() / "a.safetensors", tensors))
        .model;
  };
  const std::string sdxl = "conditioner.embedders.1.model.ln_final.bias";
  CHECK(model_of({sdxl}).scheduler.prediction_type == PredictionType::kEpsilon);
  const ModelConfig v_prediction = model_of({sdxl, "v_pred"});
  CHECK(v_prediction.name == "sdxl");
  CHECK(v_prediction.scheduler.prediction_type == PredictionType::kVPrediction);
  CHECK_FALSE(v_prediction.scheduler.rescale_betas_zero_snr);
  CHECK(v_prediction.defaults.width == 1024);
  CHECK(model_of({sdxl, "v_pred", "ztsnr"}).scheduler.rescale_betas_zero_snr);
  const ModelConfig turbo = model_of({"conditioner.embedders.0.model.ln_final.bias"});
  CHECK(turbo.name == "sd-turbo");
  CHECK(turbo.scheduler.prediction_type == PredictionType::kEpsilon);
  // An architecture of one's own goes before the family's, but not before the markers.
  const auto mine = scratch.path() / "mine.json";
  scratch.write("mine.json", find_model_config("tiny-sdxl").source.dump());
  CHECK(model_of({sdxl, "v_pred"}, mine).scheduler.prediction_type == PredictionType::kVPrediction);
  CHECK_THROWS_WITH(model_of({sdxl, "edm_vpred.sigma_max"}, mine),
                    Catch::Matchers::ContainsSubstring("CosXL"));
}

TEST_CASE("a checkpoint in SDBENCH_WEIGHTS decides the architecture where no model is named") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  const auto folder = write_folder(scratch, "mine", "tiny-sdxl", true);
  ::setenv("SDBENCH_WEIGHTS", folder.c_str(), 1);
  CHECK(resolve_cell(RunConfig{}, false).model.name == "mine");
  RunConfig named;
  named.model = "tiny-sd15";
  CHECK_THROWS_AS(resolve_cell(named, true), UsageError);
  // Nobody named those weights, and without --model they would be found again.
  CHECK_THROWS_WITH(resolve_model("tiny-sd15", ""),
                    Catch::Matchers::ContainsSubstring("name others with --weights"));
  CHECK_THROWS_WITH(resolve_model("tiny-sd15", folder),
                    Catch::Matchers::ContainsSubstring("leave --model out"));
  ::unsetenv("SDBENCH_WEIGHTS");
}

TEST_CASE("a network takes the weights of a file that is named, and looks for none") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  CHECK(resolve_model("tiny-resnet", "").weights.fallback);
  const auto file = test::write_tensor(scratch.path() / "mine.safetensors", "fc.weight");
  const ResolvedModel resolved = resolve_model("tiny-resnet", file.string());
  CHECK(resolved.model.network.has_value());
  CHECK(resolved.weights.path == file);
  CHECK_THROWS_WITH(
      resolve_model("tiny-resnet", write_folder(scratch, "sd", "tiny-sd15", true).string()),
      Catch::Matchers::ContainsSubstring("is a pipeline's folder"));
}

TEST_CASE(
    "a pipeline's folder that SDBENCH_WEIGHTS names is refused for a network by the variable") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  const std::string folder = write_folder(scratch, "sd", "tiny-sd15", true).string();
  ::setenv("SDBENCH_WEIGHTS", folder.c_str(), 1);
  CHECK_THROWS_WITH(
      resolve_model("tiny-resnet", ""),
      "SDBENCH_WEIGHTS must name a .safetensors file for tiny-resnet, or a folder with "
      "model.safetensors, but " +
          folder +
          " is a pipeline's folder; unset it, name others with --weights, or take --weights "
          "synthetic");
  CHECK(resolve_model("tiny-resnet", "synthetic").weights.kind ==
        WeightsLocation::Kind::kSynthetic);
  ::unsetenv("SDBENCH_WEIGHTS");
}

TEST_CASE("an error of weights that SDBENCH_WEIGHTS led to names the variable, for nobody typed "
          "their path") {
  const NoWeightsAround none;
  const test::ScratchFolder scratch;
  const auto file = test::write_tensor(scratch.path() / "mine.safetensors", "fc.weight");
  const auto leads_there = Catch::Matchers::EndsWith("; SDBENCH_WEIGHTS leads there");
  ::setenv("SDBENCH_WEIGHTS", file.c_str(), 1);
  for (const char* model : {"", "tiny-sd15"}) {
    CHECK_THROWS_WITH(resolve_model(model, ""),
                      Catch::Matchers::ContainsSubstring(file.string()) && leads_there);
    CHECK_THROWS_WITH(resolve_model(model, file.string()), !leads_there);
  }
  CHECK(resolve_model("tiny-resnet", "").weights.variable == "SDBENCH_WEIGHTS");
  CHECK(resolve_model("tiny-resnet", file.string()).weights.variable.empty());
  ::unsetenv("SDBENCH_WEIGHTS");
}

#include "catch.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <ATen/ATen.h>

#include "golden_result.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/engine/pipeline/golden.h"

using namespace sdbench;
using testing::golden_result;

TEST_CASE("the tiny models compute diffusers' golden latents and image") {
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16, at::kHalf}) {
      const GoldenResult result = golden_result(find_model_config(model), dtype);
      CAPTURE(model, dtype, result.message, result.rel_err.value_or(-1));
      CHECK(result.check == "pass");
      CHECK(result.message.empty());
      CHECK(result.rel_err.has_value());
    }
  }
}

TEST_CASE("other weights than the golden ones miss the check") {
  const GoldenResult result = golden_result(find_model_config("tiny-sd15"), at::kBFloat16, 1);
  CHECK(result.check == "fail");
  CHECK(result.message.starts_with("latents differ by"));
}

TEST_CASE("a model of another architecture, or without a file, has no golden check") {
  ModelConfig other = find_model_config("tiny-sd15");
  other.source["scheduler"]["timestep_spacing"] = "trailing";
  CHECK(golden_result(other, at::kFloat).check.empty());
  ModelConfig unknown = find_model_config("tiny-sd15");
  unknown.name = "mine";
  CHECK(golden_result(unknown, at::kFloat).check.empty());
}

TEST_CASE("a damaged golden file is an error that names it") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "sdbench_test_golden";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tiny-sd15.safetensors") << "nothing";
  CHECK_THROWS_AS(golden_result(find_model_config("tiny-sd15"), at::kFloat, 0, folder), Error);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a shipped model whose golden file is missing is an error, not an unchecked run") {
  const std::filesystem::path share =
      std::filesystem::temp_directory_path() / "sdbench_test_golden_missing";
  std::filesystem::create_directories(share / "golden");
  std::filesystem::copy(share_folder() / "models", share / "models");
  CHECK_THROWS_WITH(golden_result(find_model_config("tiny-sd15"), at::kFloat, 0, share / "golden"),
                    Catch::Matchers::ContainsSubstring("tiny-sd15.safetensors must be there"));
  std::filesystem::remove_all(share);
}

TEST_CASE("every shipped model has a golden file of its architecture") {
  for (const std::string& name : shipped_model_names()) {
    CAPTURE(name);
    const SafetensorsFile file(share_folder() / "golden" / (name + ".safetensors"));
    CHECK(file.metadata().at("architecture") == architecture_id(find_model_config(name)));
  }
}

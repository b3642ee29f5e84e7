// What --kv-cache, --time-cache and --shared-prefix compute once.
#include "catch.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/pipeline/golden.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "tiny_pipeline.h"

using namespace sdbench;
using test::options_in;
using test::tiny_pipeline;

namespace {

/// What the UNet gave in each step of a batch of two prompts, and the final latents.
std::vector<at::Tensor> numbers_of_run(const char* model, const PipelineOptions& options,
                                       double guidance = 5.0) {
  struct Kept final : PipelineObserver {
    [[nodiscard]] bool wants_step_tensors() const override { return true; }
    void on_step_tensors(std::int64_t, const at::Tensor& output, const at::Tensor&) override {
      outputs.push_back(output);
    }
    std::vector<at::Tensor> outputs;
  } kept;
  const StableDiffusion pipeline = tiny_pipeline(model, options);
  const Conditioning conditioning =
      pipeline.encode({"a cat", "a red house"}, "ugly", guidance, 104, 72);
  const at::Tensor latents = pipeline.denoise(pipeline.initial_noise(0, 2, 104, 72), conditioning,
                                              {.steps = 3, .guidance = guidance}, kept);
  kept.outputs.push_back(latents);
  return kept.outputs;
}

bool are_equal(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const at::Tensor& x, const at::Tensor& y) { return at::equal(x, y); });
}

} // namespace

TEST_CASE("keys and values that are made once give the same bits", "[not_sanitized]") {
  const StageDtype fp32(at::kFloat);
  const StageDtype bf16(at::kBFloat16);
  const StageDtype autocast(Precision(Dtype::kBF16, true)); // not packed
  const std::pair<StageDtype, Packing> ways[] = {
      {fp32, Packing::kNone}, {fp32, Packing::kOneDnn}, {fp32, Packing::kWinograd},
      {bf16, Packing::kNone}, {bf16, Packing::kOneDnn}, {autocast, Packing::kNone}};
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    for (const auto& [dtype, packing] : ways) {
      CAPTURE(model, dtype.weights, dtype.autocast.has_value(), static_cast<int>(packing));
      PipelineOptions options = options_in(dtype);
      options.packing = packing;
      const std::vector<at::Tensor> wanted = numbers_of_run(model, options);
      options.kv_cache = true;
      CHECK(are_equal(numbers_of_run(model, options), wanted));
      options.offload = Offload::kStages;
      CHECK(are_equal(numbers_of_run(model, options), wanted));
    }
  }
}

TEST_CASE("time for all steps at once and one prefix for two halves change no more than rounding") {
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    for (const auto option : {&PipelineOptions::time_cache, &PipelineOptions::shared_prefix}) {
      CAPTURE(model, option == &PipelineOptions::shared_prefix);
      PipelineOptions options = options_in(at::kFloat);
      const std::vector<at::Tensor> wanted = numbers_of_run(model, options);
      options.*option = true;
      const std::vector<at::Tensor> numbers = numbers_of_run(model, options);
      REQUIRE(numbers.size() == wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const at::Tensor difference = (numbers[i] - wanted[i]).abs().max();
        CHECK((difference / wanted[i].abs().max()).item<double>() <
              1e-4); // the parity tests' bound
      }
    }
  }
}

TEST_CASE("without guidance, and with the text in the time, there is no prefix to share") {
  for (const auto& [model, guidance] : {std::pair("tiny-sd15", 1.0), std::pair("tiny-sdxl", 5.0)}) {
    CAPTURE(model);
    PipelineOptions options = options_in(at::kFloat);
    const std::vector<at::Tensor> wanted = numbers_of_run(model, options, guidance);
    options.shared_prefix = true;
    CHECK(are_equal(numbers_of_run(model, options, guidance), wanted));
  }
}

TEST_CASE("the golden run has what its pipeline has") {
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
      CAPTURE(model, dtype);
      PipelineOptions options = options_in(dtype);
      const auto golden = [&] {
        return check_golden(tiny_pipeline(model, options), options, share_folder() / "golden");
      };
      const GoldenResult wanted = golden();
      options.kv_cache = true;
      CHECK(golden().rel_err == wanted.rel_err);
      options.time_cache = true;
      options.shared_prefix = true;
      CHECK(golden().check == "pass");
    }
  }
}

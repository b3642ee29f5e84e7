#include "sdbench/engine/pipeline/golden.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <system_error>

#include <ATen/ATen.h>

#include "sdbench/base/config/architecture_id.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/tensor_view.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"

namespace sdbench {
namespace {

/// What the file says of the run that it was made by.
class GoldenFile {
public:
  explicit GoldenFile(const std::filesystem::path& path) : file_(path) {}

  [[nodiscard]] const std::string& text(const char* key) const {
    const auto found = file_.metadata().find(key);
    if (found == file_.metadata().end()) {
      throw Error("golden file " + file_.path().string() + " must say \"" + key +
                  "\" in its metadata, but does not; install sdbench again");
    }
    return found->second;
  }

  template <class Number>
  [[nodiscard]] Number number(const char* key) const {
    const std::string& value = text(key);
    Number result{};
    const char* const end = value.data() + value.size();
    if (const auto [stop, error] = std::from_chars(value.data(), end, result);
        error != std::errc() || stop != end) {
      throw Error("golden file " + file_.path().string() + " must have a number as \"" + key +
                  "\", but has " + value + "; install sdbench again");
    }
    return result;
  }

  /// A copy, in fp32 on the CPU.
  [[nodiscard]] at::Tensor tensor(const char* name) const {
    const auto found = file_.tensors().find(name);
    if (found == file_.tensors().end()) {
      throw Error("golden file " + file_.path().string() + " must hold the tensor " + name +
                  ", but does not; install sdbench again");
    }
    const TensorView& view = found->second;
    const at::Tensor copy =
        at::empty(view.shape, at::device(at::kCPU).dtype(to_scalar_type(view.dtype)));
    std::copy(view.data.begin(), view.data.end(), static_cast<std::byte*>(copy.data_ptr()));
    return copy.to(at::kFloat);
  }

private:
  SafetensorsFile file_;
};

/// max|a - b| / max|b|; NaN if `ours` has one.
double relative_error(const at::Tensor& ours, const at::Tensor& golden) {
  const at::Tensor difference = ours.to(at::kCPU, at::kDouble) - golden.to(at::kDouble);
  return (difference.abs().max() / golden.to(at::kDouble).abs().max()).item<double>();
}

at::Tensor denoise(const StableDiffusion& pipeline, const GoldenFile& golden) {
  const auto guidance = golden.number<double>("guidance");
  const Conditioning conditioning =
      pipeline.encode({golden.text("prompt")}, std::nullopt, guidance,
                      golden.number<std::int64_t>("width"), golden.number<std::int64_t>("height"));
  const SchedulerConfig& scheduler = pipeline.config().scheduler;
  const DenoiseOptions options{golden.number<std::int64_t>("steps"), guidance,
                               scheduler.timestep_spacing, scheduler.use_karras_sigmas};
  PipelineObserver nobody;
  return pipeline.denoise(golden.tensor("noise"), conditioning, options, nobody);
}

/// "latents differ by 0.12 of their largest value (at most 0.03 is right)".
std::string describe(const char* what, double error, double bound) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(),
                "%s differ by %.2g of their largest value (at most %.2g is right)", what, error,
                bound);
  return text.data();
}

/// Whether sdbench ships this very architecture, and so a golden file for it.
bool is_shipped(const ModelConfig& config, const std::filesystem::path& models) {
  const std::filesystem::path file = models / (config.name + ".json");
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) &&
         architecture_id(load_model_config_file(file)) == architecture_id(config);
}

} // namespace

GoldenBounds golden_bounds(const PipelineOptions& options) {
  // Guidance multiplies the rounding of the UNet's two halves; the image has no such factor.
  const auto bounds = [&](at::ScalarType dtype) -> GoldenBounds {
    if (dtype == at::kFloat && options.tf32 != Tf32::kNone) {
      dtype = at::kHalf; // TF32 keeps as many bits of a factor as fp16
    }
    switch (dtype) {
    case at::kBFloat16:
      return {0.2, 0.1};
    case at::kHalf:
      return {0.03, 0.015};
    default: // cuDNN may choose Winograd's algorithm, which rounds more
      return options.device.is_cpu() ? GoldenBounds{1e-4, 1e-4} : GoldenBounds{1e-3, 1e-3};
    }
  };
  return {bounds(options.dtype_unet.arithmetic()).latents,
          bounds(options.dtype_vae.arithmetic()).pixels};
}

GoldenResult check_golden(const StableDiffusion& pipeline, const PipelineOptions& options,
                          const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / (pipeline.config().name + ".safetensors");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    if (is_shipped(pipeline.config(), folder.parent_path() / "models")) {
      throw Error("golden file " + path.string() + " must be there to check " +
                  pipeline.config().name + ", but is not; install sdbench again");
    }
    return {};
  }
  const GoldenFile golden(path);
  if (golden.text("architecture") != architecture_id(pipeline.config())) {
    return {};
  }
  const GoldenBounds bounds = golden_bounds(options);
  const at::Tensor golden_latents = golden.tensor("latents");
  double latents = relative_error(denoise(pipeline, golden), golden_latents);
  if (options.graphs != Graphs::kNone && latents <= bounds.latents) {
    // That run was recorded; what the timed ones do is replay.
    latents = relative_error(denoise(pipeline, golden), golden_latents);
  }
  const double pixels =
      relative_error(pipeline.decode(golden_latents.to(options.device)), golden.tensor("pixels"));

  GoldenResult result;
  if (std::isfinite(latents) && std::isfinite(pixels)) {
    result.rel_err = std::max(latents, pixels);
  }
  // Not "greater": NaN is a miss too.
  const bool latents_pass = latents <= bounds.latents;
  const bool pixels_pass = pixels <= bounds.pixels;
  result.check = latents_pass && pixels_pass ? "pass" : "fail";
  if (!latents_pass) {
    result.message = describe("latents", latents, bounds.latents);
  } else if (!pixels_pass) {
    result.message = describe("pixels", pixels, bounds.pixels);
  }
  return result;
}

} // namespace sdbench

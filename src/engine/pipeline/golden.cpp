#include "sdbench/engine/pipeline/golden.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>

#include <ATen/ATen.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/weights/golden_bounds.h"
#include "sdbench/base/weights/golden_file.h"
#include "sdbench/base/weights/tensor_view.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"

namespace sdbench {
namespace {

/// Copy of the values, in fp32 on the CPU.
at::Tensor copy_of(const TensorView& view) {
  const at::Tensor copy =
      at::empty(view.shape, at::device(at::kCPU).dtype(to_scalar_type(view.dtype)));
  std::copy(view.data.begin(), view.data.end(), static_cast<std::byte*>(copy.data_ptr()));
  return copy.to(at::kFloat);
}

/// max|a - b| / max|b|. NaN if `ours` contains a NaN.
double relative_error(const at::Tensor& ours, const at::Tensor& golden) {
  const at::Tensor difference = ours.to(at::kCPU, at::kDouble) - golden.to(at::kDouble);
  return (difference.abs().max() / golden.to(at::kDouble).abs().max()).item<double>();
}

at::Tensor denoise(const StableDiffusion& pipeline, const GoldenFile& golden) {
  const double guidance = golden.guidance();
  const Conditioning conditioning =
      pipeline.encode({golden.prompt()}, std::nullopt, guidance, golden.width(), golden.height());
  const SchedulerConfig& scheduler = pipeline.config().scheduler;
  const DenoiseOptions options{golden.steps(), guidance, scheduler.timestep_spacing,
                               scheduler.use_karras_sigmas};
  PipelineObserver nobody;
  return pipeline.denoise(copy_of(golden.noise()), conditioning, options, nobody);
}

/// Text like "latents differ by 0.12 of their largest value (at most 0.03 is right)".
std::string describe(const char* what, double error, double bound) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(),
                "%s differ by %.2g of their largest value (at most %.2g is right)", what, error,
                bound);
  return text.data();
}

} // namespace

GoldenResult check_golden(const StableDiffusion& pipeline, const PipelineOptions& options,
                          const std::filesystem::path& folder) {
  const std::optional<GoldenFile> found = find_golden_file(pipeline.config(), folder);
  if (!found) {
    return {};
  }
  const GoldenFile& golden = *found;
  const GoldenBounds bounds = golden_bounds(to_dtype(options.dtype_unet.arithmetic()),
                                            to_dtype(options.dtype_vae.arithmetic()),
                                            {.has_tf32 = options.tf32 != Tf32::kNone,
                                             .fp16_accumulation = options.fp16_accumulation,
                                             .on_cpu = options.device.is_cpu()});
  const at::Tensor golden_latents = copy_of(golden.latents());
  double latents = relative_error(denoise(pipeline, golden), golden_latents);
  if (options.graphs != Graphs::kNone && latents <= bounds.latents) {
    // The first run recorded the graph. Checks a replay, too, because timed runs replay.
    latents = relative_error(denoise(pipeline, golden), golden_latents);
  }
  const double pixels = relative_error(
      pipeline.decode(golden_latents.to(options.device)).clamp(0, 1), copy_of(golden.pixels()));

  GoldenResult result;
  if (std::isfinite(latents) && std::isfinite(pixels)) {
    result.rel_err = std::max(latents, pixels);
  }
  // Not "greater": NaN must also fail.
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

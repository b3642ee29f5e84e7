#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Output of a run, on the host.
struct RunOutput {
  at::Tensor pixels;  ///< [N, H, W, 3], uint8
  at::Tensor latents; ///< after the last step: [N, C, h, w], fp32
  /// Latents after each step: [N, C, h, w], fp32. Empty unless the cell has dump_run.
  std::vector<at::Tensor> step_latents;
  std::string check = "pass"; ///< result of check_output() for the worst batch
};

/// Makes a cell's images, batch by batch, and times them.
class ImageWork {
public:
  /// Called in the thread that called run() or warm_up(), each time a step has finished. `step`
  /// counts through all batches, from 0.
  using StepListener = std::function<void(std::int64_t step, double seconds)>;

  /// `noise`: unit normal noise [images, C, h, w] from --init-latents. If it is undefined, the
  /// noise is drawn from the seed.
  ImageWork(const StableDiffusion& pipeline, const Cell& cell, DeviceClock& clock,
            at::Tensor noise);

  /// Makes all images of the cell, in `cell.images / cell.batch` batches.
  [[nodiscard]] RunSample run(const StepListener& listener, RunOutput& output);
  /// Makes only the first batch, as a warm-up.
  RunSample warm_up(const StepListener& listener);
  /// Makes the next batch throw NotFinite if its results have NaN or infinity. The first UNet
  /// call's output is checked, so that the rest is not computed in vain. The final latents and
  /// images are also checked, because the VAE may overflow where the UNet does not. The check waits
  /// for the device.
  void probe_next_batch() { probe_ = true; }

  /// Thrown by the probe.
  struct NotFinite {};

private:
  void run_batch(std::int64_t index, const StepListener& listener, RunSample& sample,
                 std::vector<RunOutput>& outputs);

  const StableDiffusion& pipeline_;
  const Cell& cell_;
  DeviceClock& clock_;
  at::Tensor noise_;
  DenoiseOptions options_;
  bool probe_ = false;
};

/// The options for denoising the cell's batches, with the cell's seed.
[[nodiscard]] DenoiseOptions denoise_options(const Cell& cell);

/// "non_finite" if any latent or pixel is not finite, "constant" if an image has one colour only,
/// else "pass". `pixels`: [B, 3, H, W], not clamped.
[[nodiscard]] std::string check_output(const at::Tensor& latents, const at::Tensor& pixels);

} // namespace sdbench

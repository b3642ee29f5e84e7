#include "sdbench/engine/worker/step_image_files.h"

#include <chrono>
#include <cstdint>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "sdbench/base/executor/run_dump.h"
#include "sdbench/engine/worker/latents_file.h"

namespace sdbench {

at::Tensor decode_like_final(const StableDiffusion& pipeline, const Cell& cell,
                             const at::Tensor& latents, c10::Device device) {
  const c10::InferenceMode inference;
  std::vector<at::Tensor> batches;
  for (std::int64_t first = 0; first < latents.size(0); first += cell.batch) {
    const at::Tensor pixels = pipeline.decode(latents.narrow(0, first, cell.batch).to(device));
    if (!pixels.isfinite().all().item<bool>()) {
      return {};
    }
    batches.push_back(StableDiffusion::to_uint8(pixels));
  }
  return at::cat(batches);
}

void write_step_images(const StableDiffusion& pipeline, const Cell& cell,
                       const std::vector<at::Tensor>& step_latents, c10::Device device,
                       const std::function<void(std::int64_t step, double seconds)>& on_done) {
  using Clock = std::chrono::steady_clock;
  for (std::size_t index = 0; index + 1 < step_latents.size(); ++index) {
    const auto begin = Clock::now();
    const auto step = static_cast<std::int64_t>(index);
    const at::Tensor pixels = decode_like_final(pipeline, cell, step_latents[index], device);
    if (pixels.defined()) {
      write_pixels(RunDump::step_file(cell.dump_run, step + 1), pixels);
    }
    on_done(step, std::chrono::duration<double>(Clock::now() - begin).count());
  }
}

} // namespace sdbench

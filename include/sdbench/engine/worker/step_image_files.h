#pragma once

#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/base/plan/cell.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// The images [N, H, W, 3], uint8, of latents [N, 4, h, w] on the host. Decodes them like the run
/// decodes its final ones, in the cell's batches. Undefined if a pixel is not finite.
[[nodiscard]] at::Tensor decode_like_final(const StableDiffusion& pipeline, const Cell& cell,
                                           const at::Tensor& latents, c10::Device device);

/// Writes the images after each step except the last, for RunDump, beside cell.dump_run. Omits a
/// step if one of its images is not finite. Calls `on_done` for each step, from 0, with its
/// seconds; an exception from it ends the work. Throws the errors of decoding, and Error; files
/// written before then stay.
void write_step_images(const StableDiffusion& pipeline, const Cell& cell,
                       const std::vector<at::Tensor>& step_latents, c10::Device device,
                       const std::function<void(std::int64_t step, double seconds)>& on_done);

} // namespace sdbench

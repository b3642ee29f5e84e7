#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Writes pixels [N, H, W, 3] (uint8, host) of a cell as PNG files with the parameters as text, and
/// returns their paths. Names are MODEL-WxH-Nsteps-seedS.png. -cuda1 follows S if the cell's device
/// has a number, and a number ends the name if another cell's image has it already. The same
/// command writes the same files again. Throws Error.
std::vector<std::string> write_images(const std::filesystem::path& folder, const at::Tensor& pixels,
                                      const Cell& cell, const CellResult& result);

/// File name of one image. Keeps only letters, digits, dots, dashes and underscores of the model's
/// name.
[[nodiscard]] std::string image_file_name(const Cell& cell, std::uint64_t seed);

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

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

/// Writes a cell's pixels [N, H, W, 3] (uint8, on the host) as PNG files, and returns their paths.
/// Each file contains the image's parameters as text. Names are MODEL-WxH-Nsteps-seedS.png, or
/// MODEL-WxH-Nsteps-seedS-cuda1.png if the cell's device has a number. If a file of the same name
/// has different parameters, a number is appended to the new name. So a repeated command overwrites
/// only its own files. Throws Error.
std::vector<std::string> write_images(const std::filesystem::path& folder, const at::Tensor& pixels,
                                      const Cell& cell, const CellResult& result);

/// File name of one image. In the model's name, an underscore replaces each character that is not a
/// letter, digit, dot, dash or underscore.
[[nodiscard]] std::string image_file_name(const Cell& cell, std::uint64_t seed);

/// Decodes latents [N, C, h, w] to images [N, H, W, 3], uint8, on the host. Decodes cell.batch
/// images at a time, just as a run does with its final latents. Returns an undefined tensor if a
/// pixel is not finite.
[[nodiscard]] at::Tensor decode_like_final(const StableDiffusion& pipeline, const Cell& cell,
                                           const at::Tensor& latents, c10::Device device);

/// Decodes the latents after each step except the last, and writes the images of each step to
/// RunDump::step_file() of cell.dump_run. Writes no file for a step whose images are not finite.
/// Calls `on_done` for each step, counted from 0, with the seconds that decoding and writing took.
/// An exception from `on_done` ends the work. Throws Error if a file cannot be written, and passes
/// on exceptions from decoding; files already written stay.
void write_step_images(const StableDiffusion& pipeline, const Cell& cell,
                       const std::vector<at::Tensor>& step_latents, c10::Device device,
                       const std::function<void(std::int64_t step, double seconds)>& on_done);

} // namespace sdbench

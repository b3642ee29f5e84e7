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
/// Each file contains the image's parameters as text. Names are MODEL-WxH-Nsteps-seedS.png. If the
/// cell's device has a number, it follows S, as in -cuda1. If a file of that name has other
/// parameters, a number is appended to the name. So a repeated command overwrites its own files.
/// Throws Error.
std::vector<std::string> write_images(const std::filesystem::path& folder, const at::Tensor& pixels,
                                      const Cell& cell, const CellResult& result);

/// File name of one image. Keeps only letters, digits, dots, dashes and underscores of the model's
/// name.
[[nodiscard]] std::string image_file_name(const Cell& cell, std::uint64_t seed);

/// Decodes latents [N, 4, h, w] to images [N, H, W, 3], uint8, on the host. Decodes in the cell's
/// batches, as a run decodes its final latents. Returns an undefined tensor if a pixel is not
/// finite.
[[nodiscard]] at::Tensor decode_like_final(const StableDiffusion& pipeline, const Cell& cell,
                                           const at::Tensor& latents, c10::Device device);

/// Decodes the latents after each step except the last, and writes the images to files beside
/// cell.dump_run, which RunDump reads. Writes no file for a step whose images are not finite. Calls
/// `on_done` for each step, counted from 0, with the seconds that decoding and writing took. An
/// exception from `on_done` ends the work. Throws Error and the errors of decoding; files already
/// written stay.
void write_step_images(const StableDiffusion& pipeline, const Cell& cell,
                       const std::vector<at::Tensor>& step_latents, c10::Device device,
                       const std::function<void(std::int64_t step, double seconds)>& on_done);

} // namespace sdbench

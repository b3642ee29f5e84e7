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
/// returns their paths. Names: MODEL-WxH-Nsteps-seedS.png, with -cuda1 behind S where the cell's
/// device has a number, and a number at the end where another cell's picture has the name; the same
/// command writes the same files again. Throws Error.
std::vector<std::string> write_images(const std::filesystem::path& folder, const at::Tensor& pixels,
                                      const Cell& cell, const CellResult& result);

/// File name of one image: letters, digits, dots, dashes and underscores of the model's name alone.
[[nodiscard]] std::string image_file_name(const Cell& cell, std::uint64_t seed);

/// The images [N, H, W, 3], uint8, of latents [N, 4, h, w] on the host: decoded as the run decodes
/// its final ones, in the cell's batches. Undefined where a pixel is not finite.
[[nodiscard]] at::Tensor decode_like_final(const StableDiffusion& pipeline, const Cell& cell,
                                           const at::Tensor& latents, c10::Device device);

/// Writes the images after each step but the last as RunDump reads them, beside cell.dump_run.
/// Those after a step at which one is not finite are left out. `on_done` hears of each step, from
/// 0, with its seconds; what it throws ends the work. Throws as decoding does, and Error; what was
/// written by then stays.
void write_step_images(const StableDiffusion& pipeline, const Cell& cell,
                       const std::vector<at::Tensor>& step_latents, c10::Device device,
                       const std::function<void(std::int64_t step, double seconds)>& on_done);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"

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

} // namespace sdbench

#pragma once

#include <filesystem>

#include "sdbench/base/weights/golden_file.h"

namespace sdbench {

/// Relative error of an engine's final latents (`theirs`) compared with those of engine plain: the
/// L2 norm of the difference, divided by the L2 norm of plain's latents. Both files come from
/// --dump-latents. Infinity if the shapes differ or a number is not finite. Throws Error if a file
/// cannot be read.
[[nodiscard]] double latents_difference(const std::filesystem::path& theirs,
                                        const std::filesystem::path& plain);

/// Relative error of such latents compared with the golden file's reference latents: the largest
/// absolute difference, divided by the largest absolute reference value. Returns infinity and
/// throws Error as latents_difference() does.
[[nodiscard]] double golden_difference(const std::filesystem::path& theirs,
                                       const GoldenFile& golden);

/// The same for the outputs of an image classifier, the tensor "logits". Compares the first N
/// images, where N is the number of images in the golden file. Infinity if `theirs` has fewer.
[[nodiscard]] double golden_logits_difference(const std::filesystem::path& theirs,
                                              const GoldenFile& golden);

} // namespace sdbench

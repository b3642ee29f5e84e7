#pragma once

#include <filesystem>

#include "sdbench/base/weights/golden_file.h"

namespace sdbench {

/// Relative error of the final latents in `theirs`, from any engine, against those in `plain`, from
/// engine plain: the L2 norm of the difference, divided by the L2 norm of plain's latents. Both
/// files come from --dump-latents. Infinity if the shapes differ or a number is not finite. Throws
/// Error if a file cannot be read.
[[nodiscard]] double latents_difference(const std::filesystem::path& theirs,
                                        const std::filesystem::path& plain);

/// Relative error of the final latents in `theirs` against the golden file's reference latents: the
/// largest absolute difference, divided by the largest absolute reference value. Returns infinity
/// and throws Error as latents_difference() does.
[[nodiscard]] double golden_difference(const std::filesystem::path& theirs,
                                       const GoldenFile& golden);

/// Like golden_difference(), but for an image classifier's outputs (the tensor "logits"). If the
/// golden file has N images, compares the first N; infinity if `theirs` has fewer than N.
[[nodiscard]] double golden_logits_difference(const std::filesystem::path& theirs,
                                              const GoldenFile& golden);

} // namespace sdbench

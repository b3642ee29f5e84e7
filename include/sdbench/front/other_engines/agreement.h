#pragma once

#include <filesystem>

#include "sdbench/base/weights/golden_file.h"

namespace sdbench {

/// Relative error of the final latents against plain's: L2 norm of the difference, divided by the
/// L2 norm of plain's. Both files come from --dump-latents. Infinity if the shapes differ or a
/// number is not finite. Throws Error if a file cannot be read.
[[nodiscard]] double latents_difference(const std::filesystem::path& theirs,
                                        const std::filesystem::path& plain);

/// max|a - b| / max|b| of such latents and the golden ones. Infinity and Error as in
/// latents_difference().
[[nodiscard]] double golden_difference(const std::filesystem::path& theirs,
                                       const GoldenFile& golden);

/// The same for a network's answers, the tensor "logits". Compares as many of the first images as
/// the golden file has; infinity if there are fewer.
[[nodiscard]] double golden_logits_difference(const std::filesystem::path& theirs,
                                              const GoldenFile& golden);

} // namespace sdbench

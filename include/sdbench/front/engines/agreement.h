#pragma once

#include <filesystem>

#include "sdbench/base/weights/golden_file.h"

namespace sdbench {

/// How far the final latents are from plain's: root of the sum of squares of the difference, by
/// that of plain's. Of two files of --dump-latents; infinity where their shapes differ, or a number
/// is not finite. Throws Error where one cannot be read.
[[nodiscard]] double latents_difference(const std::filesystem::path& theirs,
                                        const std::filesystem::path& plain);

/// max|a - b| / max|b| of such latents and golden ones; infinity and Error as above.
[[nodiscard]] double golden_difference(const std::filesystem::path& theirs,
                                       const GoldenFile& golden);

/// The same of a network's answers, the tensor "logits": of the first images, as many as the golden
/// file has. Infinity, too, where there are fewer.
[[nodiscard]] double golden_logits_difference(const std::filesystem::path& theirs,
                                              const GoldenFile& golden);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string_view>

#include "sdbench/base/core/precision.h"

namespace sdbench {

/// How far final latents may be from those of engine plain in the same dtype: root of the sum of
/// squares of the difference, by that of plain's. In fp32 rounding leaves 1e-5. In 16 bits programs
/// round in different places: OpenVINO's bf16 leaves 0.12 in one step of tiny-sd15. Unrelated
/// latents differ by 1.4. `tf32`: what of fp32 is TF32's, as --tf32 has it.
[[nodiscard]] double agreement_bound(Precision precision, std::string_view tf32);

/// That difference of two files of --dump-latents; infinity where their shapes differ, or a number
/// is not finite. Throws Error where one cannot be read.
[[nodiscard]] double latents_difference(const std::filesystem::path& theirs,
                                        const std::filesystem::path& plain);

} // namespace sdbench

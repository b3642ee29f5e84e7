#pragma once

#include <string_view>

namespace sdbench {

/// NVIDIA's generation name for a compute capability: (7, 5) -> "Turing". Unknown ones give
/// "unknown".
[[nodiscard]] std::string_view gpu_generation(int major, int minor);

} // namespace sdbench

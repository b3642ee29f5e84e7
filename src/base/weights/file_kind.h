#pragma once

#include <filesystem>

namespace sdbench {

/// Whether a file, whatever it is called, begins as safetensors files do: the length of a header
/// that it can hold, then "{". False if it cannot be read.
[[nodiscard]] bool looks_like_safetensors(const std::filesystem::path& file);

} // namespace sdbench

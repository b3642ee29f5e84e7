#pragma once

#include <filesystem>

namespace sdbench {

/// True if a file of any name begins like a safetensors file: a header length that fits the file,
/// then "{". False if the file cannot be read.
[[nodiscard]] bool looks_like_safetensors(const std::filesystem::path& file);

} // namespace sdbench

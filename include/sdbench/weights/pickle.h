#pragma once

#include <filesystem>

namespace sdbench {

/// Throws Error if the path is named like a pickle (`.ckpt .bin .pt .pth`): such files run code
/// when opened. The message names the safetensors file to use instead, the very one where it lies
/// beside.
void refuse_pickle(const std::filesystem::path& path);

} // namespace sdbench

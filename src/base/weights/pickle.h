#pragma once

#include <filesystem>
#include <string>

namespace sdbench {

/// Whether the path has an extension under which PyTorch writes pickles (.ckpt, .bin, .pt, .pth),
/// and what is there, if anything, is no safetensors file under such a name.
[[nodiscard]] bool is_pickle(const std::filesystem::path& path);

/// Throws Error if it is: pickles run code when they are opened, so they never are. Says what to
/// use instead.
void refuse_pickle(const std::filesystem::path& path);

/// The command that makes safetensors files of the pickles of a diffusers pipeline (a folder or a
/// repository), for those who trust them, and what to give then.
[[nodiscard]] std::string conversion_command(const std::string& pipeline);

} // namespace sdbench

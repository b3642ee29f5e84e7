#pragma once

#include <filesystem>
#include <string>

namespace sdbench {

/// True if the path has an extension of PyTorch's pickles (.ckpt, .bin, .pt, .pth), unless it is a
/// safetensors file with such a name. The file need not exist.
[[nodiscard]] bool is_pickle(const std::filesystem::path& path);

/// Throws Error for a pickle; the error says what to use instead. We never open pickles, because
/// opening them runs their code.
void refuse_pickle(const std::filesystem::path& path);

/// The command with which a user who trusts a diffusers pipeline's pickles can convert them to
/// safetensors files, and the option to use then. `pipeline`: folder or repository.
[[nodiscard]] std::string conversion_command(const std::string& pipeline);

/// True if a file of any name begins like a safetensors file: a header length that fits the file,
/// then "{". False if the file cannot be read.
[[nodiscard]] bool looks_like_safetensors(const std::filesystem::path& file);

} // namespace sdbench

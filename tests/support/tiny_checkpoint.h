#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/weights/safetensors_writer.h"

namespace sdbench::test {

/// Writes a safetensors file, and the folders above it, whose tensors hold their number (1, 2, …)
/// in every byte.
inline std::filesystem::path write_tensors(const std::filesystem::path& path,
                                           const std::vector<TensorDeclaration>& tensors) {
  std::filesystem::create_directories(path.parent_path());
  write_safetensors(path, tensors, [](std::size_t index, std::span<std::byte> bytes) {
    std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(index + 1));
  });
  return path;
}

/// A file with one tensor, for tests that only care where files lie.
inline std::filesystem::path write_tensor(const std::filesystem::path& path,
                                          const std::string& name, Dtype dtype = Dtype::kF32) {
  return write_tensors(path, {{name, dtype, {2}}});
}

} // namespace sdbench::test

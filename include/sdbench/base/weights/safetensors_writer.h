#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// Name, dtype and shape of a tensor that will be written.
struct TensorDeclaration {
  std::string name;
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape;
};

/// Writes a safetensors file tensor by tensor, so that at most one tensor is in memory. First
/// writes the header, padded so that the data begin at a multiple of 8 bytes. Then calls
/// `fill(index, buffer)` for each tensor, in the given order, and writes the buffer. The file
/// appears whole or not at all (AtomicFile). Throws Error. If `fill` throws, the exception passes
/// through and no file is left. transformers reads only files whose `metadata` contain {"format":
/// "pt"}.
void write_safetensors(const std::filesystem::path& path,
                       const std::vector<TensorDeclaration>& tensors,
                       const std::function<void(std::size_t, std::span<std::byte>)>& fill,
                       const std::map<std::string, std::string>& metadata = {});

} // namespace sdbench

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

struct TensorDeclaration {
  std::string name;
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape;
};

/// Writes a safetensors file tensor by tensor: the header first (padded, so that the data begin at
/// a multiple of 8), then each tensor's bytes from `fill(index, buffer)`, in the given order. So at
/// most one tensor is held in memory. Atomic (AtomicFile). Throws Error. An exception from `fill`
/// passes through, and leaves no file behind. transformers reads only files whose `metadata`
/// contain {"format": "pt"}.
void write_safetensors(const std::filesystem::path& path,
                       const std::vector<TensorDeclaration>& tensors,
                       const std::function<void(std::size_t, std::span<std::byte>)>& fill,
                       const std::map<std::string, std::string>& metadata = {});

} // namespace sdbench

#pragma once

#include <array>
#include <string>
#include <vector>

#include "sdbench/base/weights/tensor_view.h"

namespace sdbench::test {

/// A view of as many bytes as the shape needs in uint8; the bytes count up.
inline TensorView counting_view(std::vector<std::int64_t> shape) {
  static const auto bytes = [] {
    std::array<std::byte, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<std::byte>(i);
    }
    return all;
  }();
  std::size_t size = 1;
  for (const std::int64_t extent : shape) {
    size *= static_cast<std::size_t>(extent);
  }
  return {Dtype::kU8, std::move(shape), std::span(bytes).first(size)};
}

inline std::vector<std::string> names_of(const TensorMap& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    names.push_back(name);
  }
  return names;
}

} // namespace sdbench::test

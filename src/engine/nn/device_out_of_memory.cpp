#include "sdbench/engine/nn/device_out_of_memory.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sdbench {
namespace {

constexpr std::int64_t kLeastForHandles = std::int64_t{256} << 20;

template <std::size_t kCount>
bool has_one_of(const std::string& message, const std::array<const char*, kCount>& words) {
  return std::ranges::any_of(
      words, [&](const char* some) { return message.find(some) != std::string::npos; });
}

} // namespace

bool is_device_out_of_memory(const std::string& message, std::optional<std::int64_t> free_bytes) {
  constexpr std::array kWords{"CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED",
                              "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED"};
  constexpr std::array kOfHandles{"CUBLAS_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_NOT_INITIALIZED"};
  return has_one_of(message, kWords) ||
         (free_bytes && *free_bytes < kLeastForHandles && has_one_of(message, kOfHandles));
}

} // namespace sdbench

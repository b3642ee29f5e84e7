#include "sdbench/engine/nn/device_out_of_memory.h"

#include <algorithm>
#include <array>

namespace sdbench {

bool is_device_out_of_memory(const std::string& message) {
  constexpr std::array kWords{"CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED",
                              "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](const char* words) { return message.find(words) != std::string::npos; });
}

} // namespace sdbench

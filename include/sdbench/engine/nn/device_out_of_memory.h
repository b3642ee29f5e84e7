#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sdbench {

/// True if an error message reports that device memory ran out outside libtorch's allocator: while
/// kernels were loaded, or for workspaces of CUDA's libraries. Such errors are not of the class
/// c10::OutOfMemoryError. cuBLAS and cuDNN say only "NOT_INITIALIZED" if their handle finds no
/// memory: that counts if `free_bytes`, the device's free memory, is known and below 256 MiB.
[[nodiscard]] bool is_device_out_of_memory(const std::string& message,
                                           std::optional<std::int64_t> free_bytes = std::nullopt);

} // namespace sdbench

#pragma once

#include <string>

namespace sdbench {

/// True if an error message reports that device memory ran out outside libtorch's allocator: while
/// kernels were loaded, or for workspaces of CUDA's libraries. Such errors are not of the class
/// c10::OutOfMemoryError.
[[nodiscard]] bool is_device_out_of_memory(const std::string& message);

} // namespace sdbench

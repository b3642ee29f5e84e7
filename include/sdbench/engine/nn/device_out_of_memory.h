#pragma once

#include <string>

namespace sdbench {

/// True if the message reports a lack of device memory outside libtorch's allocator, which does not
/// throw c10::OutOfMemoryError: loading kernels, workspaces of CUDA's libraries.
[[nodiscard]] bool is_device_out_of_memory(const std::string& message);

} // namespace sdbench

#pragma once

#include <string>

namespace sdbench {

/// Whether these are the words of what takes device memory past libtorch's allocator, and throws
/// another error than its own: the loading of kernels, the libraries' own workspaces.
[[nodiscard]] bool is_device_out_of_memory(const std::string& message);

} // namespace sdbench

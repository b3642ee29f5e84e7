#pragma once

#include <string>
#include <vector>

namespace sdbench {

/// Arguments, or an environment, as execve() takes them: with a null at the end. They point into
/// `texts`.
[[nodiscard]] std::vector<char*> exec_pointers(std::vector<std::string>& texts);

} // namespace sdbench

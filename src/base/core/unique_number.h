#pragma once

#include <string>

namespace sdbench {

/// Digits for a name that no other process takes at the same moment, on whatever host: a process's
/// own number is another one's, too, on a second host and in a container.
[[nodiscard]] std::string unique_number();

} // namespace sdbench

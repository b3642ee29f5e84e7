#pragma once

#include <string>

namespace sdbench {

/// Digits for a name that no other process on any host uses at the same time. A process id is not
/// enough, because it may repeat on another host and in a container.
[[nodiscard]] std::string unique_number();

} // namespace sdbench

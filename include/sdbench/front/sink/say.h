#pragma once

#include <functional>
#include <string>

namespace sdbench {

/// Tells the user something, in one line.
using Say = std::function<void(const std::string&)>;

} // namespace sdbench

#pragma once

#include <functional>
#include <string>

namespace sdbench {

/// A function that shows the user a message of one line.
using Say = std::function<void(const std::string&)>;

} // namespace sdbench

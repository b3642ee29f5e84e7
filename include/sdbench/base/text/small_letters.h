#pragma once

#include <string>

namespace sdbench {

/// Converts A-Z to a-z, independent of the locale; other bytes stay.
[[nodiscard]] std::string in_small_letters(std::string text);

} // namespace sdbench

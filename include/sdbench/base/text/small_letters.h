#pragma once

#include <string>

namespace sdbench {

/// A-Z become a-z, whatever the locale is; other bytes stay.
[[nodiscard]] std::string in_small_letters(std::string text);

} // namespace sdbench

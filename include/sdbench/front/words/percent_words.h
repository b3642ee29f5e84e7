#pragma once

#include <string>

namespace sdbench {

/// A bound as the user wrote it: 0.05 is "5 %", 0.005 is "0.5 %".
[[nodiscard]] std::string percent_words(double fraction);

} // namespace sdbench

#pragma once

#include <string>

namespace sdbench {

/// Formats a fraction as a percentage, as the user wrote it: 0.05 becomes "5 %", 0.005 becomes "0.5
/// %".
[[nodiscard]] std::string percent_words(double fraction);

} // namespace sdbench

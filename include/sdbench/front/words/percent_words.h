#pragma once

#include <string>

namespace sdbench {

/// Formats a fraction as a percentage, in the way the user wrote it: "5 %" for 0.05, "0.5 %" for
/// 0.005.
[[nodiscard]] std::string percent_words(double fraction);

} // namespace sdbench

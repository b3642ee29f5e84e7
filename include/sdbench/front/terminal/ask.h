#pragma once

#include <string>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// True if a person at a terminal can be asked.
[[nodiscard]] bool can_ask();
/// Asks the question; true if the answer is yes. No answer means no.
[[nodiscard]] bool says_yes(const std::string& question, const Streams& streams);

} // namespace sdbench

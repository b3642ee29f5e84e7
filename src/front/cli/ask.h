#pragma once

#include <string>

#include "sdbench/front/cli/streams.h"

namespace sdbench {

/// Whether there is somebody at a terminal who can be asked.
[[nodiscard]] bool can_ask();
/// Asks, and whether the answer is yes. No answer is no.
[[nodiscard]] bool says_yes(const std::string& question, const Streams& streams);

} // namespace sdbench

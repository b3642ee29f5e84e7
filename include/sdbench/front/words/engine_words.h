#pragma once

#include <string>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Which of the engine's axes were asked to differ from the usual way, for people: "channels-last,
/// offload by stages"; where the run has shown that it was otherwise, that: "channels-last instead
/// of contiguous". Empty if none.
[[nodiscard]] std::string engine_words(const RunRecord& record);

} // namespace sdbench

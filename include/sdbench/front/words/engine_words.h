#pragma once

#include <string>
#include <string_view>

#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/core/task.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// An engine as every table shows it: "sdbench tuned", "sdbench plain", another's by its own name.
/// Empty of an empty name.
[[nodiscard]] std::string engine_title(std::string_view engine);

/// Which of the axes beside the engine itself were asked to differ from the usual way, for people:
/// "channels-last, offload by stages"; where the run has shown that it was otherwise, that:
/// "channels-last instead of contiguous". Empty if none.
[[nodiscard]] std::string axes_words(const RunRecord& record);

/// The engine's title, and those words behind it.
[[nodiscard]] std::string engine_words(const RunRecord& record);
/// The same of what is asked for, before anything has run.
[[nodiscard]] std::string asked_engine_words(const EngineAxes& asked, Task task);

} // namespace sdbench

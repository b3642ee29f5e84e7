#pragma once

#include <string>
#include <string_view>

#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/types/task.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// An engine's title in every table: "sdbench tuned", "sdbench plain", or the name of an engine
/// that is not ours. Empty for an empty name.
[[nodiscard]] std::string engine_title(std::string_view engine);

/// The engine's axes that differ from the default, for people: "channels-last, offload by stages".
/// If the run used a different value than asked, says so: "channels-last instead of contiguous".
/// Empty if no axis differs.
[[nodiscard]] std::string axes_words(const RunRecord& record);

/// The engine's title, followed by those words.
[[nodiscard]] std::string engine_words(const RunRecord& record);
/// The same for a request, before anything has run.
[[nodiscard]] std::string asked_engine_words(const EngineAxes& asked, Task task);

} // namespace sdbench

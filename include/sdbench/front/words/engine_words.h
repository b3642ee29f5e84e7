#pragma once

#include <string>
#include <string_view>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// An engine's name as shown in tables: "sdbench tuned" or "sdbench plain" for our engines,
/// otherwise the engine's own name. Empty for an empty name.
[[nodiscard]] std::string engine_title(std::string_view engine);

/// Lists the engine options (EngineAxes) that differ from their defaults: "channels-last, offload
/// by stages". If a run used another value than requested, says so: "channels-last instead of
/// contiguous". Empty if no option differs.
[[nodiscard]] std::string axes_words(const RunRecord& record);

/// The engine's title, followed by axes_words().
[[nodiscard]] std::string engine_words(const RunRecord& record);
/// Like engine_words(), but for requested options, before anything has run.
[[nodiscard]] std::string asked_engine_words(const EngineAxes& asked, Task task);

} // namespace sdbench

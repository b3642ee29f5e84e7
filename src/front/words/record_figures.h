#pragma once

#include <optional>
#include <string>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Three digits of a figure; empty without one.
[[nodiscard]] std::string figure_text(const std::optional<double>& value);
/// The most memory that a row took: the device's, or else the host's; empty where neither is known.
[[nodiscard]] std::string peak_memory_text(const RunRecord& record);

} // namespace sdbench

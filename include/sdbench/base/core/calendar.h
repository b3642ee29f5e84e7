#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace sdbench {

/// The day of "2026-11-28"; nullopt of any other form, and of a day that no calendar has.
[[nodiscard]] std::optional<std::chrono::sys_days> calendar_day(std::string_view text);

} // namespace sdbench

#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace sdbench {

/// Parses a date such as "2026-11-28". nullopt for any other form, and for a day that does not
/// exist.
[[nodiscard]] std::optional<std::chrono::sys_days> calendar_day(std::string_view text);

} // namespace sdbench

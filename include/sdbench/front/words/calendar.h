#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace sdbench {

/// True if the text has the form, such as "dddd-dd-dd", in which each d stands for a digit.
[[nodiscard]] bool has_form(std::string_view text, std::string_view form);

/// Parses a date such as "2026-11-28". nullopt for any other form, and for a day that does not
/// exist.
[[nodiscard]] std::optional<std::chrono::sys_days> calendar_day(std::string_view text);

} // namespace sdbench

#include "sdbench/front/words/calendar.h"

#include <algorithm>
#include <cstddef>

#include "sdbench/base/numbers/number_text.h"

namespace sdbench {

bool has_form(std::string_view text, std::string_view form) {
  return std::ranges::equal(text, form, [](char byte, char wanted) {
    return wanted == 'd' ? byte >= '0' && byte <= '9' : byte == wanted;
  });
}

std::optional<std::chrono::sys_days> calendar_day(std::string_view text) {
  if (!has_form(text, "dddd-dd-dd")) {
    return std::nullopt;
  }
  const auto part = [&](std::size_t from, std::size_t count) {
    return static_cast<unsigned int>(parse_unsigned(text.substr(from, count)).value_or(0));
  };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(part(0, 4))),
                                        std::chrono::month(part(5, 2)),
                                        std::chrono::day(part(8, 2))};
  return day.ok() ? std::optional(std::chrono::sys_days(day)) : std::nullopt;
}

} // namespace sdbench

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// Shortest decimal text that reads back as the same double, independent of the locale. Empty for
/// NaN and infinity, where a record has no figure.
[[nodiscard]] std::string number_text(double value);
/// `value` with `digits` significant digits and no exponent, for people: 0.01234, 12.3, 1230.
[[nodiscard]] std::string significant_text(double value, int digits = 3);

/// The whole text as a number; nullopt for leading blanks, a rest, or a number out of range.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);

} // namespace sdbench

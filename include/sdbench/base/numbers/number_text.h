#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// The shortest decimal text that reads back as the same double, independent of the locale. Empty
/// for NaN and infinity, because a record leaves such values empty.
[[nodiscard]] std::string number_text(double value);
/// Text of `value` for people, with `digits` significant digits and no exponent: 0.0123, 12.3. All
/// digits before the decimal point are shown: 1234. Empty for NaN and infinity.
[[nodiscard]] std::string significant_text(double value, int digits = 3);

/// Parses the whole text as a number. nullopt for leading blanks, for characters after the number,
/// and for a number out of range.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// Formats a fraction as a percentage with no more digits than needed: "5 %" for 0.05, "0.5 %" for
/// 0.005.
[[nodiscard]] std::string percent_words(double fraction);

} // namespace sdbench

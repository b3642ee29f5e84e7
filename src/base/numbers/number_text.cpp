#include "sdbench/base/numbers/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace sdbench {
namespace {

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

} // namespace

std::string number_text(double value) {
  if (!std::isfinite(value)) {
    return {};
  }
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string();
}

std::string significant_text(double value, int digits) {
  if (!std::isfinite(value)) {
    return {};
  }
  const int magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int decimals = std::clamp(digits - 1 - magnitude, 0, 17);
  std::array<char, 400> buffer{}; // the largest double has 309 digits before its point
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, decimals);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string();
}

std::optional<double> parse_number(std::string_view text) {
  return parse_whole<double>(text);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_whole<std::uint64_t>(text);
}

std::string percent_words(double fraction) {
  constexpr int kDigits = 6; // the rounding error of the division by 100 lies far behind these
  std::string text = significant_text(100 * fraction, kDigits);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return text + " %";
}

} // namespace sdbench

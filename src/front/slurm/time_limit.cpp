#include "sdbench/front/slurm/time_limit.h"

#include <cstddef>
#include <vector>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

constexpr std::int64_t kMinuteS = 60;
constexpr std::int64_t kHourS = 60 * kMinuteS;
constexpr std::int64_t kDayS = 24 * kHourS;

constexpr std::int64_t kMostOfPart = 1'000'000'000;

/// The numbers between colons; nothing if a part is not a number, negative, or absurdly large.
std::optional<std::vector<std::int64_t>> parts_of(std::string_view text) {
  std::vector<std::int64_t> parts;
  for (const std::string_view word : split(text, ':')) {
    const auto part = parse_integer(word);
    if (!part || *part < 0 || *part > kMostOfPart) {
      return std::nullopt;
    }
    parts.push_back(*part);
  }
  return parts;
}

} // namespace

std::optional<std::int64_t> time_limit_s(std::string_view text) {
  const std::size_t dash = text.find('-');
  const bool has_days = dash != std::string_view::npos;
  const auto days = has_days ? parts_of(text.substr(0, dash)) : std::vector<std::int64_t>{0};
  auto parts = parts_of(has_days ? text.substr(dash + 1) : text);
  if (!days || days->size() != 1 || !parts || parts->size() > 3) {
    return std::nullopt;
  }
  // Behind days, the first number is hours. Without days, one number is minutes, and two are
  // minutes and seconds.
  if (!has_days && parts->size() < 3) {
    parts->insert(parts->begin(), 0);
  }
  parts->resize(3);
  const std::int64_t seconds =
      days->front() * kDayS + (*parts)[0] * kHourS + (*parts)[1] * kMinuteS + (*parts)[2];
  return seconds == 0 ? std::nullopt : std::optional(seconds);
}

std::string time_limit_text(std::int64_t seconds) {
  const auto two_digits = [](std::int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  const std::int64_t days = seconds / kDayS;
  return (days > 0 ? std::to_string(days) + "-" : "") + two_digits(seconds % kDayS / kHourS) + ":" +
         two_digits(seconds % kHourS / kMinuteS) + ":" + two_digits(seconds % kMinuteS);
}

} // namespace sdbench

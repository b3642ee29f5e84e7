#include "sdbench/base/device/device_name.h"

#include "sdbench/base/core/number_text.h"

namespace sdbench {

std::optional<DeviceName> parse_device_name(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const bool is_counted = kind == "cpu" || kind == "cuda" || kind == "intel";
  if (colon == std::string_view::npos && (is_counted || kind == "auto" || kind == "all")) {
    return DeviceName{std::string(kind), std::nullopt};
  }
  if (colon == std::string_view::npos || !is_counted) {
    return std::nullopt;
  }
  constexpr std::int64_t kMost = 1023;
  const std::optional<std::int64_t> number = parse_integer(text.substr(colon + 1));
  if (!number || *number < 0 || *number > kMost) {
    return std::nullopt;
  }
  return DeviceName{std::string(kind), number};
}

} // namespace sdbench

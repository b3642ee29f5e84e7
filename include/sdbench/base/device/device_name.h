#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// A name of --device, taken apart: "cuda:1" is kind "cuda", number 1.
struct DeviceName {
  std::string kind; ///< "auto", "all", "cpu", "cuda" or "intel" (a GPU of Intel's)
  std::optional<std::int64_t> number; ///< of cpu:K, cuda:N and intel:N
};

/// Nothing for a text that is no such name.
[[nodiscard]] std::optional<DeviceName> parse_device_name(std::string_view text);

} // namespace sdbench

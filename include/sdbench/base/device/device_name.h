#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/device/device_kind.h"

namespace sdbench {

inline constexpr std::string_view kAutoDevice = "auto"; ///< the first GPU, else the CPU
inline constexpr std::string_view kAllDevices = "all";  ///< all GPUs, else the CPU

/// A name of --device, taken apart: "cuda:1" is kind kCuda, number 1.
struct DeviceName {
  std::optional<DeviceKind> kind = {};     ///< empty: auto, or all
  std::optional<std::int64_t> number = {}; ///< of cpu:K, cuda:N and intel:N
  bool is_all = false;
};

/// nullopt for a text that is not such a name.
[[nodiscard]] std::optional<DeviceName> parse_device_name(std::string_view text);

/// The name in the form of --device: "cuda:1", "auto".
[[nodiscard]] std::string typed_name(const DeviceName& name);

/// The kind that a name of --device asks for, or the first of names joined by "+". nullopt for
/// auto, all, and texts that are no names.
[[nodiscard]] std::optional<DeviceKind> kind_asked(std::string_view device);
/// The kinds of names joined by "+", in their order.
[[nodiscard]] std::vector<DeviceKind> kinds_asked(std::string_view devices);

/// The valid forms: "auto", "all", "cpu", "cpu:K", "cuda", "cuda:N", ….
[[nodiscard]] std::vector<std::string> device_forms();

} // namespace sdbench

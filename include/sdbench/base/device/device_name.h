#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/device/device_kind_table.h"

namespace sdbench {

/// Value of --device: the first GPU, else the CPU.
inline constexpr std::string_view kAutoDevice = "auto";
/// Value of --device: all GPUs, else the CPU.
inline constexpr std::string_view kAllDevices = "all";

/// A parsed value of --device: "cuda:1" is kind kCuda, number 1.
struct DeviceName {
  std::optional<DeviceKind> kind = {}; ///< empty for "auto" and "all"
  /// K of cpu:K, N of cuda:N and intel:N; empty without a number.
  std::optional<std::int64_t> number = {};
  /// True for "all".
  bool is_all = false;
};

/// Parses a value of --device. nullopt for an invalid value.
[[nodiscard]] std::optional<DeviceName> parse_device_name(std::string_view text);

/// The name as a value of --device: "cuda:1", "auto".
[[nodiscard]] std::string typed_name(const DeviceName& name);

/// The kind that a value of --device names. For several names joined by "+", the first one's kind.
/// nullopt for auto, all and invalid names.
[[nodiscard]] std::optional<DeviceKind> kind_asked(std::string_view device);
/// The kinds of several names joined by "+", in their order.
[[nodiscard]] std::vector<DeviceKind> kinds_asked(std::string_view devices);

/// All forms that a value of --device may have: "auto", "all", "cpu", "cpu:K", "cuda", "cuda:N", ….
[[nodiscard]] std::vector<std::string> device_forms();

} // namespace sdbench

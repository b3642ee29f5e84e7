#include "sdbench/base/device/find_device.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "sdbench/base/device/device_name.h"

namespace sdbench {
namespace {

const DeviceInfo* nth_of_kind(const std::vector<DeviceInfo>& devices, std::string_view kind,
                              std::int64_t number) {
  for (const DeviceInfo& device : devices) {
    if (device.kind == kind && number-- == 0) {
      return &device;
    }
  }
  return nullptr;
}

} // namespace

const DeviceInfo* find_device(const std::string& asked, const std::vector<DeviceInfo>& devices) {
  const std::optional<DeviceName> name = parse_device_name(asked);
  if (!name) {
    return nullptr;
  }
  if (name->kind == "auto") {
    const DeviceInfo* const gpu = nth_of_kind(devices, "cuda", 0);
    return gpu != nullptr ? gpu : nth_of_kind(devices, "cpu", 0);
  }
  const bool is_share = name->kind == "cpu"; // all cpu:K are parts of the one
  return nth_of_kind(devices, name->kind, is_share ? 0 : name->number.value_or(0));
}

} // namespace sdbench

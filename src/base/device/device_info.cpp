#include "sdbench/base/device/device_info.h"

#include <algorithm>

#include "sdbench/base/device/device_name.h"

namespace sdbench {
namespace {

const DeviceInfo* nth_of_kind(const std::vector<DeviceInfo>& devices, DeviceKind kind,
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
  if (!name || name->is_all) {
    return nullptr;
  }
  if (!name->kind) {
    const auto gpu = std::ranges::find_if(devices, is_gpu_of_torch, &DeviceInfo::kind);
    return gpu != devices.end() ? &*gpu : nth_of_kind(devices, cpu_kind(), 0);
  }
  // All cpu:K are parts of the one CPU.
  return nth_of_kind(devices, *name->kind, is_gpu(name->kind) ? name->number.value_or(0) : 0);
}

} // namespace sdbench

#include "sdbench/device/find_device.h"

#include "sdbench/core/number_text.h"

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
  constexpr std::string_view kNumbered = "cuda:";
  if (asked == "auto") {
    const DeviceInfo* const gpu = nth_of_kind(devices, "cuda", 0);
    return gpu != nullptr ? gpu : nth_of_kind(devices, "cpu", 0);
  }
  if (asked.starts_with(kNumbered)) {
    const auto number = parse_integer(std::string_view(asked).substr(kNumbered.size()));
    return number && *number >= 0 ? nth_of_kind(devices, "cuda", *number) : nullptr;
  }
  return nth_of_kind(devices, asked, 0);
}

} // namespace sdbench

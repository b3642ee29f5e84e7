#include "sdbench/telemetry/gpu_sensors.h"

#include <algorithm>
#include <array>

namespace sdbench {
namespace {

struct ReasonName {
  std::uint64_t bit;
  const char* name;
};

// NVML's "clocks event reasons", without 0x1: idle.
constexpr std::array kReasonNames{
    ReasonName{0x2, "applications_clocks_setting"},
    ReasonName{0x4, "sw_power_cap"},
    ReasonName{0x8, "hw_slowdown"},
    ReasonName{0x10, "sync_boost"},
    ReasonName{0x20, "sw_thermal_slowdown"},
    ReasonName{0x40, "hw_thermal_slowdown"},
    ReasonName{0x80, "hw_power_brake_slowdown"},
    ReasonName{0x100, "display_clock_setting"},
};

} // namespace

std::string throttle_reason_names(std::uint64_t bits) {
  std::string names;
  for (const ReasonName& reason : kReasonNames) {
    if ((bits & reason.bit) != 0) {
      names += (names.empty() ? "" : " ") + std::string(reason.name);
    }
  }
  return names;
}

const GpuFacts* find_gpu(const std::vector<GpuFacts>& gpus, const std::string& uuid,
                         const std::string& pci_address) {
  const auto by = [&gpus](std::string GpuFacts::*member, const std::string& value) {
    const auto found = std::ranges::find(gpus, value, member);
    return value.empty() || found == gpus.end() ? nullptr : &*found;
  };
  const GpuFacts* const found = by(&GpuFacts::uuid, uuid);
  return found != nullptr ? found : by(&GpuFacts::pci_address, pci_address);
}

} // namespace sdbench

#include "sdbench/front/telemetry/gpu_reading.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sdbench {
namespace {

struct ReasonName {
  std::uint64_t bit;
  const char* name;
};

constexpr std::uint64_t kIdleBit = 0x1;

// NVML's "clocks event reasons", by bit.
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
  const auto add = [&names](const std::string& name) {
    names += (names.empty() ? "" : " ") + name;
  };
  std::uint64_t rest = bits & ~kIdleBit;
  for (const ReasonName& reason : kReasonNames) {
    if ((rest & reason.bit) != 0) {
      add(reason.name);
      rest &= ~reason.bit;
    }
  }
  if (rest != 0) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), rest, 16).ptr;
    add("0x" + std::string(digits.data(), end));
  }
  return names.empty() ? "none" : names;
}

bool is_part_of_card(const GpuFacts& gpu) {
  return gpu.mig == "on" || gpu.virtualisation == kVgpu;
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

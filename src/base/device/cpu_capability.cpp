#include "sdbench/base/device/cpu_capability.h"

#include <array>

namespace sdbench {
namespace {

/// Instruction sets with which libtorch's kernels of a capability are compiled
/// (cmake/Codegen.cmake). The kernels may use them anywhere.
struct Capability {
  std::string_view name;
  std::array<std::string_view, 6> features;
};

constexpr std::array kCapabilities{
    Capability{"avx2", {"avx2", "fma", "f16c"}},
    Capability{"avx512", {"avx512f", "avx512bw", "avx512vl", "avx512dq", "fma", "avx2"}}};

} // namespace

std::string missing_for_capability(std::string_view asked,
                                   const std::set<std::string, std::less<>>& features) {
  std::string missing;
  for (const Capability& capability : kCapabilities) {
    if (capability.name != asked || features.empty()) {
      continue;
    }
    for (const std::string_view feature : capability.features) {
      if (!feature.empty() && !features.contains(feature)) {
        missing.append(missing.empty() ? "" : " ").append(feature);
      }
    }
  }
  return missing;
}

} // namespace sdbench

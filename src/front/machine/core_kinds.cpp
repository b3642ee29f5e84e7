#include "sdbench/front/machine/core_kinds.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/machine/folder_entries.h"

namespace sdbench {
namespace {

/// Each kind of Intel core has an event counter, whose folder in /sys lists the cores.
constexpr std::pair<const char*, const char*> kIntelsKinds[] = {
    {"cpu_core", "performance"}, {"cpu_atom", "efficiency"}, {"cpu_lowpower", "low power"}};

/// The N of "cpuN"; nothing for another name.
std::optional<int> core_number(std::string_view name) {
  if (!name.starts_with("cpu")) {
    return std::nullopt;
  }
  name.remove_prefix(3);
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_whole = error == std::errc() && end == name.data() + name.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

std::string listed_kinds(const std::vector<std::string>& kinds) {
  return kinds.size() > 1 ? joined(kinds) : "";
}

} // namespace

std::string core_kinds(const std::filesystem::path& root) {
  std::vector<std::string> kinds;
  for (const auto& [folder, name] : kIntelsKinds) {
    std::string cores;
    if (std::ifstream(root / "sys/devices" / folder / "cpus") >> cores) {
      kinds.push_back(std::string(name) + " " + cores);
    }
  }
  if (!kinds.empty()) {
    return listed_kinds(kinds);
  }
  std::map<long, std::vector<int>, std::greater<>> by_capacity;
  for (const std::filesystem::path& core : folder_entries(root / "sys/devices/system/cpu")) {
    const std::optional<int> number = core_number(core.filename().string());
    long capacity = 0;
    if (number && std::ifstream(core / "cpu_capacity") >> capacity) {
      by_capacity[capacity].push_back(*number);
    }
  }
  for (auto& [capacity, cores] : by_capacity) {
    std::ranges::sort(cores);
    kinds.push_back("capacity " + std::to_string(capacity) + ": " + core_list(cores));
  }
  return listed_kinds(kinds);
}

} // namespace sdbench

#include "sdbench/front/slurm/slurm_variables.h"

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace sdbench {
namespace {

/// Prefixes of each program's own variables, which change what it lists, sorts, prints or asks.
constexpr std::array<std::string_view, 5> kPrefixes = {"SINFO_", "SQUEUE_", "SCONTROL_", "SCANCEL_",
                                                       "SACCT_"};
/// Variables of all programs, which select a different cluster or output format.
constexpr std::array<std::string_view, 4> kNames = {"SLURM_CLUSTERS", "SLURM_TIME_FORMAT",
                                                    "SLURM_JSON", "SLURM_YAML"};

bool is_of_reading(std::string_view name) {
  return std::ranges::find(kNames, name) != kNames.end() ||
         std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

} // namespace

void forget_slurm_variables() {
  std::vector<std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view setting(*entry);
    const std::string_view name = setting.substr(0, setting.find('='));
    if (is_of_reading(name)) {
      found.emplace_back(name);
    }
  }
  for (const std::string& name : found) {
    ::unsetenv(name.c_str());
  }
}

std::string unset_words() {
  std::string words;
  for (const std::string_view name : kNames) {
    words += " " + std::string(name);
  }
  for (const std::string_view prefix : kPrefixes) {
    words += " ${!" + std::string(prefix) + "@}";
  }
  return words;
}

} // namespace sdbench

#include "sdbench/base/device/cpu_cores.h"

#include <algorithm>
#include <fstream>
#include <limits>

#include <sys/syscall.h>
#include <unistd.h>

#include "sdbench/base/device/host.h"
#include "sdbench/base/numbers/even_part.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

/// The first number in a file of /sys; 0 if it cannot be read.
int number_in(const std::filesystem::path& file) {
  int number = 0;
  std::ifstream(file) >> number;
  return number;
}

/// A hardware thread: its package and core, and its system number.
struct Place {
  std::pair<int, int> core;
  int number = 0;
};

} // namespace

std::vector<int> usable_cores(const std::filesystem::path& root) {
  std::vector<Place> places; // each is read once: a large machine has hundreds
  for (const int number : affinity_cores()) {
    const auto topology =
        root / "sys/devices/system/cpu" / ("cpu" + std::to_string(number)) / "topology";
    places.push_back(
        {{number_in(topology / "physical_package_id"), number_in(topology / "core_id")}, number});
  }
  std::ranges::sort(places, {},
                    [](const Place& place) { return std::pair(place.core, place.number); });
  return mapped(spread_over_cores(mapped(places, &Place::core),
                                  static_cast<std::size_t>(usable_core_count())),
                [&](std::size_t at) { return places[at].number; });
}

std::string core_list(std::span<const int> cores) {
  std::string list;
  for (std::size_t first = 0, end = 0; first < cores.size(); first = end) {
    for (end = first + 1; end < cores.size() && cores[end] == cores[end - 1] + 1;) {
      ++end;
    }
    list += (list.empty() ? "" : ",") + std::to_string(cores[first]);
    list += end - first > 1 ? "-" + std::to_string(cores[end - 1]) : "";
  }
  return list;
}

std::vector<std::size_t> spread_over_cores(std::span<const std::pair<int, int>> core_of_thread,
                                           std::size_t count) {
  std::vector<std::pair<std::size_t, std::size_t>> ranked; // rank within the core, index
  ranked.reserve(core_of_thread.size());
  for (std::size_t at = 0; at < core_of_thread.size(); ++at) {
    const bool same = at > 0 && core_of_thread[at] == core_of_thread[at - 1];
    ranked.emplace_back(same ? ranked.back().first + 1 : 0, at);
  }
  std::ranges::sort(ranked);
  ranked.resize(std::min(count, ranked.size()));
  auto places = mapped(ranked, [](const auto& place) { return place.second; });
  std::ranges::sort(places);
  return places;
}

std::vector<int> cores_of_share(std::span<const int> cores, CpuShare share) {
  const EvenPart part = even_part(std::ssize(cores), share.number, share.count);
  return {cores.begin() + part.first, cores.begin() + part.first + part.count};
}

std::vector<unsigned long> core_mask(std::span<const int> cores) {
  constexpr int kBits = std::numeric_limits<unsigned long>::digits;
  std::vector<unsigned long> mask;
  for (const int core : cores) {
    mask.resize(std::max(mask.size(), static_cast<std::size_t>(core / kBits) + 1));
    mask[static_cast<std::size_t>(core / kBits)] |= 1UL << (core % kBits);
  }
  return mask;
}

void run_on(std::span<const int> cores) {
  const std::vector<unsigned long> mask = core_mask(cores);
  static_cast<void>(::syscall(SYS_sched_setaffinity, 0, mask.size() * sizeof mask[0], mask.data()));
}

const std::vector<int>& cores_at_start() {
  static const std::vector<int> cores = affinity_cores();
  return cores;
}

} // namespace sdbench

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sdbench {

/// One of `count` nearly equal parts of the cores. `number` is its index, from 0.
struct CpuShare {
  std::int64_t number = 0;
  std::int64_t count = 1;
};

/// System numbers of the cores (hardware threads) that this process may use: those of its affinity
/// mask, but no more than the cgroup's CPU quota allows. If the quota is lower than the mask's
/// size, the list takes one hardware thread of every physical core before it takes a second thread
/// of any core. Hardware threads of one core are adjacent in the list, so that parts of the list
/// share as few cores as possible. `root`: "/" except in tests.
[[nodiscard]] std::vector<int> usable_cores(const std::filesystem::path& root = "/");

/// Writes ascending core numbers in the kernel's form: "0-3,8".
[[nodiscard]] std::string core_list(std::span<const int> cores);

/// Selects `count` hardware threads: one thread of every core, then a second thread of every core,
/// and so on. `core_of_thread`: package and core of each thread; threads of one core are adjacent.
/// Returns indices into `core_of_thread`, ascending.
[[nodiscard]] std::vector<std::size_t>
spread_over_cores(std::span<const std::pair<int, int>> core_of_thread, std::size_t count);

/// The adjacent elements of `cores` that belong to `share`. The shares' sizes differ by at most one
/// core; the first shares are the larger ones.
[[nodiscard]] std::vector<int> cores_of_share(std::span<const int> cores, CpuShare share);

/// A list of cores as a bit mask for sched_setaffinity; empty for an empty list.
[[nodiscard]] std::vector<unsigned long> core_mask(std::span<const int> cores);

/// Restricts the calling thread to these cores. Does nothing if the system refuses.
void run_on(std::span<const int> cores);

/// The cores in this process's affinity mask at the first call of this function. That call must
/// come before any thread is bound to cores, because a new thread inherits the binding of its
/// creator.
[[nodiscard]] const std::vector<int>& cores_at_start();

} // namespace sdbench

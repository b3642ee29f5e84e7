#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sdbench {

/// One of `count` parts of the cores, `number` from 0.
struct CpuShare {
  std::int64_t number = 0;
  std::int64_t count = 1;
};

/// The system's numbers of the cores that this process may use: those of its affinity mask, but no
/// more than the cgroup's quota allows. Under a quota, one hardware thread of each core comes
/// before a second one of any. Hardware threads of one core are adjacent, so that shares of the
/// list split as few cores as possible. `root` is "/" except in tests.
[[nodiscard]] std::vector<int> usable_cores(const std::filesystem::path& root = "/");

/// Ascending numbers in the kernel's form: "0-3,8".
[[nodiscard]] std::string core_list(std::span<const int> cores);

/// Indices of `count` threads in a list where the threads of one core (package and core) are
/// adjacent: the first threads of all cores, then the second ones. Ascending.
[[nodiscard]] std::vector<std::size_t>
spread_over_cores(std::span<const std::pair<int, int>> core_of_thread, std::size_t count);

/// The part of `cores` that belongs to a share: adjacent ones. Shares differ by at most one core;
/// the first ones have more.
[[nodiscard]] std::vector<int> cores_of_share(std::span<const int> cores, CpuShare share);

/// The kernel's form of a list of cores, for sched_setaffinity; empty without cores.
[[nodiscard]] std::vector<unsigned long> core_mask(std::span<const int> cores);

/// Binds the calling thread to these cores. Does nothing if the system refuses.
void run_on(std::span<const int> cores);

/// The cores of the process at the first call of this function. It must come before a thread is
/// bound, because threads inherit the binding of the thread that starts them.
[[nodiscard]] const std::vector<int>& cores_at_start();

} // namespace sdbench

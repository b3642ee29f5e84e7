#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_info.h"

namespace sdbench {

/// The part of `core_count` cores for `device`, if it is a cpu:K of its list. The list must name
/// cpu:0, cpu:1 and so on without a gap, at least two of them, and no more than there are cores.
/// Throws UsageError.
[[nodiscard]] std::optional<CpuShare> cpu_share_of(const std::string& device,
                                                   std::span<const std::string> devices,
                                                   std::size_t core_count);

/// Refuses devices that cannot run together: fewer than two, a device named twice under any name,
/// devices that share cores. Also refuses options without a meaning with --parallel. Throws
/// UsageError.
void check_parallel(const RunConfig& config, std::span<const std::string> devices);

/// True if any cell's list has "all".
[[nodiscard]] bool names_all_devices(std::span<const RunOptions> cells);
/// The devices for "all": the GPUs in the order of their numbers. Without a GPU "auto", which is
/// the CPU with the reason why no GPU can be used. `visible`: our own CUDA_VISIBLE_DEVICES, or
/// nullptr. CUDA shows a process only the first MIG instance in it, but each worker gets its own.
[[nodiscard]] std::vector<std::string> all_device_names(std::span<const DeviceInfo> devices,
                                                        const char* visible);
/// The cells with `names` in place of "all": one for each name, or one for all if they run in
/// parallel. Throws UsageError for a list that then names a device twice.
[[nodiscard]] std::vector<RunOptions> with_all_devices(std::vector<RunOptions> cells,
                                                       const std::vector<std::string>& names);

} // namespace sdbench

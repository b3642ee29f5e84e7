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

/// The part of the CPU's cores that a device named cpu:K stands for; nullopt for any other device.
/// `devices`: the list that contains `device`. The list must name cpu:0, cpu:1 and so on without a
/// gap, at least two of them, and no more than `core_count`. Otherwise throws UsageError.
[[nodiscard]] std::optional<CpuShare> cpu_share_of(const std::string& device,
                                                   std::span<const std::string> devices,
                                                   std::size_t core_count);

/// Throws UsageError for devices that cannot run together: fewer than two, a device that is named
/// twice (even by different names), or devices that share cores. Also throws UsageError for options
/// that cannot be combined with --parallel.
void check_parallel(const RunConfig& config, std::span<const std::string> devices);

/// True if the device list of at least one cell contains "all".
[[nodiscard]] bool names_all_devices(std::span<const RunOptions> cells);
/// The devices that "all" stands for: all GPUs, in the order of their numbers. Without a GPU, it
/// stands for "auto", which selects the CPU and reports why no GPU can be used. `visible`: this
/// process's CUDA_VISIBLE_DEVICES, or nullptr. If `visible` lists several MIG instances, CUDA shows
/// this process only the first. Each listed instance therefore counts as a GPU; each worker later
/// sees only its own instance.
[[nodiscard]] std::vector<std::string> all_device_names(std::span<const DeviceInfo> devices,
                                                        const char* visible);
/// Replaces "all" in the cells' device lists by `names`. A cell on device "all" becomes one cell
/// for each name; with --parallel it remains a single cell. Throws UsageError if a list then names
/// a device twice.
[[nodiscard]] std::vector<RunOptions> with_all_devices(std::vector<RunOptions> cells,
                                                       const std::vector<std::string>& names);

} // namespace sdbench

#include "sdbench/base/plan/device_lists.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sdbench/base/config/run_config.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {
namespace {

/// The K of each cpu:K of a list.
std::set<std::int64_t> cpu_numbers(std::span<const std::string> devices) {
  std::set<std::int64_t> numbers;
  for (const std::string& device : devices) {
    const std::optional<DeviceName> name = parse_device_name(device);
    if (name && is_cpu(name->kind) && name->number) {
      numbers.insert(*name->number);
    }
  }
  return numbers;
}

/// One name for each device: "cuda" is cuda:0.
std::string plain_name(const std::string& device) {
  return is_gpu(device_kind_named(device)) ? device + ":0" : device;
}

/// Like plain_name(); "auto", which replaces "all" on a machine without a GPU, means the CPU.
std::string plain_name_beside_all(const std::string& device) {
  return device == kAutoDevice ? std::string(name_of(cpu_kind())) : plain_name(device);
}

void refuse_overlap(std::span<const std::string> devices) {
  std::set<std::string> seen;
  for (const std::string& device : devices) {
    if (device == kAutoDevice) {
      throw UsageError("--parallel must have devices by name, but auto is among them; name them, "
                       "such as --device cuda:0,cuda:1, or take --device all");
    }
    if (!seen.insert(plain_name(device)).second) {
      throw UsageError("--parallel must have each device once, but has " + plain_name(device) +
                       " twice");
    }
  }
  if (seen.contains(std::string(name_of(cpu_kind()))) && !cpu_numbers(devices).empty()) {
    throw UsageError("--parallel must have cpu or shares of it (cpu:0,cpu:1), but has both");
  }
}

/// Number of MIG instances at the start of CUDA_VISIBLE_DEVICES: "MIG-…,MIG-…" has two.
std::int64_t instances_in(const char* visible) {
  std::int64_t count = 0;
  for (std::string_view rest = visible == nullptr ? "" : visible; rest.starts_with("MIG-");) {
    ++count;
    const std::size_t comma = rest.find(',');
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return count;
}

} // namespace

std::optional<CpuShare> cpu_share_of(const std::string& device,
                                     std::span<const std::string> devices, std::size_t core_count) {
  const std::optional<DeviceName> name = parse_device_name(device);
  if (!name || !is_cpu(name->kind) || !name->number) {
    return std::nullopt;
  }
  std::set<std::int64_t> numbers = cpu_numbers(devices);
  numbers.insert(*name->number);
  const auto count = static_cast<std::int64_t>(numbers.size());
  if (count == 1) {
    throw UsageError("--device must name cpu:K as one of several shares (cpu:0,cpu:1), but names " +
                     device + " alone; name all shares in one list, or take cpu for all cores");
  }
  if (*numbers.rbegin() != count - 1) {
    throw UsageError("--device must name shares of the cores without a gap (cpu:0 to cpu:" +
                     std::to_string(count - 1) +
                     "), but names cpu:" + std::to_string(*numbers.rbegin()));
  }
  if (numbers.size() > core_count) {
    throw UsageError("--device must name no more shares than there are cores (" +
                     std::to_string(core_count) + "), but names " + std::to_string(count));
  }
  return CpuShare{*name->number, count};
}

void check_parallel(const RunConfig& config, std::span<const std::string> devices) {
  if (devices.size() < 2) {
    throw UsageError("--parallel must have two devices or more, but has " +
                     (devices.empty() ? "none" : devices.front() + " alone") +
                     "; name them, such as --device cuda:0,cuda:1, or leave --parallel out");
  }
  refuse_overlap(devices);
  const std::vector<std::string> shares = {kSharePrompts, kShareBatch, kShareEach};
  if (!config.share.empty() && std::ranges::find(shares, config.share) == shares.end()) {
    throw UsageError("--share must be " + listed(shares) + ", but is " + in_quotes(config.share));
  }
  if (!config.batch) {
    throw UsageError("--batch must be a number with --parallel, but is auto; look for the best "
                     "batch on one device first");
  }
  if (config.max_noise) {
    throw UsageError("--max-noise must be given without --parallel, because each device would stop "
                     "after a different number of runs; take --repeat");
  }
  for (const auto& [option, file] : {std::pair("--init-latents", &config.init_latents),
                                     std::pair("--dump-latents", &config.dump_latents)}) {
    if (!file->empty()) {
      throw UsageError(std::string(option) + " must be given without --parallel, because its file "
                                             "is for one device; take --seed and --save-images");
    }
  }
}

bool names_all_devices(std::span<const RunOptions> cells) {
  return std::ranges::any_of(cells, [](const RunOptions& options) {
    return std::ranges::count(options.cell.devices, kAllDevices) > 0;
  });
}

std::vector<std::string> all_device_names(std::span<const DeviceInfo> devices,
                                          const char* visible) {
  std::map<DeviceKind, std::int64_t> counts;
  for (const DeviceInfo& device : devices) {
    if (is_gpu_of_torch(device.kind)) {
      ++counts[*device.kind];
    }
  }
  std::vector<std::string> names;
  for (const auto& [kind, seen] : counts) {
    const bool by_visible = has_seat(kind, DeviceSeat::kVisibleGpu);
    const std::int64_t count = by_visible ? std::max(seen, instances_in(visible)) : seen;
    for (std::int64_t number = 0; number < count; ++number) {
      names.push_back(typed_name({.kind = kind, .number = number}));
    }
  }
  return names.empty() ? std::vector{std::string(kAutoDevice)} : names;
}

std::vector<RunOptions> with_all_devices(std::vector<RunOptions> cells,
                                         const std::vector<std::string>& names) {
  std::vector<RunOptions> replaced;
  for (RunOptions& options : cells) {
    std::vector<std::string>& devices = options.cell.devices;
    if (const auto all = std::ranges::find(devices, kAllDevices); all != devices.end()) {
      devices.insert(devices.erase(all), names.begin(), names.end());
      std::set<std::string> seen;
      for (const std::string& device : devices) {
        if (!seen.insert(plain_name_beside_all(device)).second) {
          throw UsageError("--device must name each device once, but all includes " + device +
                           ", too");
        }
      }
    }
    const bool is_all = options.cell.device == kAllDevices;
    for (const std::string& device :
         is_all && !options.cell.parallel ? names : std::vector<std::string>{options.cell.device}) {
      replaced.push_back(options);
      replaced.back().cell.device = device == kAllDevices ? devices.front() : device;
    }
  }
  return replaced;
}

} // namespace sdbench

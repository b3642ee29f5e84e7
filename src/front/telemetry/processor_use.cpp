#include "sdbench/front/telemetry/processor_use.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <unistd.h>

#include "proc_files.h"
#include "sdbench/base/device/cgroup.h"
#include "sdbench/base/device/host.h"

namespace sdbench {
namespace {

constexpr double kMicroSeconds = 1e-6;
constexpr double kNanoSeconds = 1e-9;

const double kTickSeconds = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));

/// The number behind `key` and a blank or "=" in `text`.
std::optional<double> number_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos || at + key.size() >= text.size()) {
    return std::nullopt;
  }
  text.remove_prefix(at + key.size() + 1);
  return take_number(text);
}

} // namespace

ProcessorSensors::ProcessorSensors(std::filesystem::path root)
    : root_(std::move(root)), cores_(affinity_cores()) {
  for (const std::filesystem::path& group : cgroup_folders("cpu", root_)) {
    if (!read_small_file(group / "cpu.stat").empty()) {
      group_files_.push_back(group / "cpu.stat");
    }
  }
}

ProcessorUse ProcessorSensors::read() const {
  return read(read_small_file(root_ / "proc/stat"));
}

ProcessorUse ProcessorSensors::read(std::string_view stat) const {
  ProcessorUse use;
  CpuTime sum;
  double cores = 0;
  for (const auto& [core, time] : cpu_times_from(stat).cores) {
    if (std::ranges::binary_search(cores_, core)) {
      sum.busy += time.busy;
      sum.steal += time.steal;
      sum.total += time.total;
      cores += 1;
    }
  }
  if (cores > 0) {
    use.cores = cores;
    use.total_s = sum.total * kTickSeconds;
    use.busy_s = (sum.busy - sum.steal) * kTickSeconds;
    use.steal_s = sum.steal * kTickSeconds;
  }
  use.own_s = own_seconds();
  use.throttled_s = throttled_seconds();
  use.pressure_s = pressure_seconds();
  return use;
}

/// Does not visit the workers' children: a worker starts no programs.
std::optional<double> ProcessorSensors::own_seconds() const {
  const auto own = process_stat_of("self", root_);
  if (!own) {
    return std::nullopt;
  }
  double ticks = own->ticks + own->ticks_of_ended;
  for (const std::int64_t child : child_processes(root_)) {
    if (const auto stat = process_stat_of(std::to_string(child), root_)) {
      ticks += stat->ticks + stat->ticks_of_ended;
    }
  }
  return ticks * kTickSeconds;
}

/// Version 2 writes microseconds, version 1 nanoseconds.
std::optional<double> ProcessorSensors::throttled_seconds() const {
  std::optional<double> sum;
  for (const std::filesystem::path& file : group_files_) {
    const std::string text = read_small_file(file);
    const auto micro = number_behind(text, "throttled_usec");
    const auto nano = number_behind(text, "throttled_time");
    if (micro || nano) {
      sum = sum.value_or(0) + (micro ? *micro * kMicroSeconds : *nano * kNanoSeconds);
    }
  }
  return sum;
}

std::optional<double> ProcessorSensors::pressure_seconds() const {
  const auto micro = number_behind(read_small_file(root_ / "proc/pressure/cpu"), "total");
  return micro ? std::optional(*micro * kMicroSeconds) : std::nullopt;
}

} // namespace sdbench

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "sdbench/front/telemetry/processor_use.h"

namespace sdbench {

/// Memory of one process.
struct ProcessMemory {
  std::int64_t process = 0;
  std::int64_t rss_bytes = 0; ///< resident
};

/// One reading of the host's sensors. Empty: the sensor does not exist or may not be read.
struct HostReading {
  /// CPU time since boot of all cores together: the busy time, then the total.
  std::optional<double> cpu_busy_s;
  std::optional<double> cpu_total_s;
  /// Load of each core since the previous reading; empty at the first.
  std::vector<double> core_load_percent;
  ProcessorUse processors;             ///< who had the cores that this process may use
  std::optional<double> clock_hz;      ///< mean of the cores
  std::optional<double> temperature_c; ///< hottest sensor of the processor
  std::optional<double> energy_j;      ///< RAPL's counters of all packages since the first look
  std::optional<std::int64_t> memory_available_bytes;
  std::optional<std::int64_t> swap_used_bytes;
  /// Bytes moved to swap and back since boot. Swap in use says little about how much the machine
  /// waits for it.
  std::optional<std::int64_t> swap_traffic_bytes;
  std::optional<std::int64_t> worker_rss_bytes; ///< resident in this process' children
  std::vector<ProcessMemory> workers;           ///< these children one by one
};

/// The host's sensors in /proc and /sys under a root folder, "/" except in tests. For one thread.
class HostSensors {
public:
  explicit HostSensors(const std::filesystem::path& root = "/");
  ~HostSensors();
  HostSensors(HostSensors&&) noexcept;
  HostSensors& operator=(HostSensors&&) noexcept;

  [[nodiscard]] HostReading read();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace sdbench

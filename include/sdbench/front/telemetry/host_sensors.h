#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/telemetry/processor_use.h"

namespace sdbench {

/// Memory use of one process.
struct ProcessMemory {
  std::int64_t process = 0;
  std::int64_t rss_bytes = 0; ///< resident memory
};

/// One reading of the host's sensors. An empty value means that the sensor does not exist or may
/// not be read.
struct HostReading {
  /// CPU time of all cores together since boot: the busy part, and the total.
  std::optional<double> cpu_busy_s;
  std::optional<double> cpu_total_s;
  /// Load of each core since the previous reading; empty in the first reading.
  std::vector<double> core_load_percent;
  ProcessorUse processors;             ///< CPU time of the cores that this process may use
  std::optional<double> clock_hz;      ///< mean over the cores
  std::optional<double> temperature_c; ///< the processor's hottest sensor
  /// Times that heat slowed a core or a package down since boot, from Intel's counters: the counts
  /// of all cores and all packages, added up.
  std::optional<std::int64_t> thermal_events;
  /// The fastest fan. Empty if all stand still, because a connector without a fan also reads 0.
  std::optional<double> fan_rpm;
  /// The hottest SSD, memory module or part of the mainboard, and its driver's name: "nvme".
  std::optional<double> other_temperature_c;
  std::string other_sensor;
  /// Energy of all processor packages since the first reading, from RAPL's counters.
  std::optional<double> energy_j;
  std::optional<std::int64_t> memory_available_bytes;
  std::optional<std::int64_t> swap_used_bytes;
  /// Bytes moved to swap and back since boot. Unlike the amount of swap in use, they show how much
  /// the machine waits for swap.
  std::optional<std::int64_t> swap_traffic_bytes;
  std::optional<std::int64_t> worker_rss_bytes; ///< resident memory of this process's children
  std::vector<ProcessMemory> workers;           ///< memory of each child process
};

/// Reads the host's sensors from /proc and /sys below a root folder, which is "/" except in tests.
/// Not thread-safe.
class HostSensors {
public:
  explicit HostSensors(const std::filesystem::path& root = "/");
  ~HostSensors();

  [[nodiscard]] HostReading read();
  /// Finds a counter of the processor's energy that this user may not read. Returns an empty path
  /// if the user may read every counter.
  [[nodiscard]] std::filesystem::path refused_energy_counter() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace sdbench

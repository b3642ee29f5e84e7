#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace sdbench {

/// CPU time, since boot, on the cores that this process may use: the total, and who used it. A
/// value is empty if the system does not report it.
struct ProcessorUse {
  std::optional<double> cores;   ///< number of these cores
  std::optional<double> total_s; ///< busy and idle time of all these cores
  std::optional<double> busy_s;  ///< part used by programs of this system
  std::optional<double> steal_s; ///< part that a hypervisor took for other machines
  /// CPU time of this process and its children, including ended child processes for which one of
  /// them has waited.
  std::optional<double> own_s;
  /// Time for which CPU quotas of this process's control groups stopped threads, over all cores.
  std::optional<double> throttled_s;
  /// Real time during which at least one thread of the system, ours included, waited for a core
  /// (the kernel's pressure stall information, PSI).
  std::optional<double> pressure_s;
};

/// Reads ProcessorUse from /proc and /sys below a root folder, which is "/" except in tests. Not
/// thread-safe.
class ProcessorSensors {
public:
  explicit ProcessorSensors(std::filesystem::path root = "/");

  [[nodiscard]] ProcessorUse read() const;
  /// Like read(), but takes the text of /proc/stat from the caller, because reading that file takes
  /// a millisecond on a large machine.
  [[nodiscard]] ProcessorUse read(std::string_view stat) const;

private:
  [[nodiscard]] std::optional<double> own_seconds() const;
  [[nodiscard]] std::optional<double> throttled_seconds() const;
  [[nodiscard]] std::optional<double> pressure_seconds() const;

  std::filesystem::path root_;
  std::vector<int> cores_; ///< ascending
  /// The file cpu.stat of each control group of this process.
  std::vector<std::filesystem::path> group_files_;
};

} // namespace sdbench

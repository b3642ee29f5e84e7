#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace sdbench {

/// CPU time since boot of the cores that this process may use, and who used it. Empty: not reported
/// by the system.
struct ProcessorUse {
  std::optional<double> cores;   ///< number of these cores
  std::optional<double> total_s; ///< of all these cores together; so are the next two
  std::optional<double> busy_s;  ///< worked for any program of this system
  std::optional<double> steal_s; ///< taken by a hypervisor for other machines
  /// Used by this process, its children, and the ended processes that these have waited for.
  std::optional<double> own_s;
  std::optional<double> throttled_s; ///< held up by a control group's quota, of all its cores
  /// Real time in which some thread of the system, ours among them, waited for a core (PSI).
  std::optional<double> pressure_s;
};

/// Reads all of it from /proc and /sys under a root folder, "/" except in tests. For one thread.
class ProcessorSensors {
public:
  explicit ProcessorSensors(std::filesystem::path root = "/");

  [[nodiscard]] ProcessorUse read() const;
  /// Takes the text of /proc/stat from the caller: reading it takes a millisecond on a large
  /// machine.
  [[nodiscard]] ProcessorUse read(std::string_view stat) const;

private:
  [[nodiscard]] std::optional<double> own_seconds() const;
  [[nodiscard]] std::optional<double> throttled_seconds() const;
  [[nodiscard]] std::optional<double> pressure_seconds() const;

  std::filesystem::path root_;
  std::vector<int> cores_;                         ///< ascending
  std::vector<std::filesystem::path> group_files_; ///< cpu.stat of our control groups
};

} // namespace sdbench

#pragma once

#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sdbench {

/// The sensors that a report draws: columns of the telemetry file.
inline constexpr std::array<std::string_view, 8> kDrawnSensors = {
    "power_w",      "temperature_c", "clock_hz",          "memory_clock_hz",
    "load_percent", "fan_percent",   "memory_used_bytes", "worker_rss_bytes"};

/// One sample of a device.
struct TelemetryPoint {
  double time_s = 0;                                 ///< since the program's start
  std::array<double, kDrawnSensors.size()> values{}; ///< NaN: no such sensor
  std::string phase;
  std::string throttle_reasons; ///< empty or "none": nothing held the clocks down
};

/// The samples of one device during one row.
struct TelemetrySeries {
  std::string run_id;
  std::string device; ///< "gpu0" or "host"
  std::string uuid;
  std::size_t count = 0; ///< samples in the file; more than `points` if thinned
  std::vector<TelemetryPoint> points;
};

struct TelemetryFiles {
  std::vector<TelemetrySeries> series; ///< in the order of their first sample
  std::size_t foreign_runs = 0;        ///< run ids of the files without a record
  std::vector<std::string> bad;        ///< what could not be read: "gpu.csv, line 3: …"
};

/// True if the first bytes are those of a file of --telemetry. False if it cannot be read.
[[nodiscard]] bool is_telemetry_file(const std::filesystem::path& file);

/// Reads the samples of `run_ids`, about `most_points` in total. If there are more, each series
/// keeps every k-th sample, and each at which the throttle reasons change. Ignores idle samples,
/// which belong to no run. Lists unreadable rows in `bad` (the first of each file).
[[nodiscard]] TelemetryFiles read_telemetry(const std::vector<std::filesystem::path>& files,
                                            const std::unordered_set<std::string>& run_ids,
                                            std::size_t most_points);

} // namespace sdbench

#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sdbench {

/// The sensors that a report draws, named by their columns in the telemetry file.
inline constexpr std::array<std::string_view, 8> kDrawnSensors = {
    "power_w",      "temperature_c", "clock_hz",          "memory_clock_hz",
    "load_percent", "fan_percent",   "memory_used_bytes", "worker_rss_bytes"};

/// One sample of a device.
struct TelemetryPoint {
  double time_s = 0; ///< since the start of the program that measured
  /// In the order of kDrawnSensors; NaN: no reading.
  std::array<double, kDrawnSensors.size()> values{};
  std::string phase;
  std::string throttle_reasons; ///< empty or "none": nothing reduced the clocks
};

/// The samples of one device during one row.
struct TelemetrySeries {
  std::string run_id;
  std::string device; ///< "gpu0" or "host"
  std::string uuid;
  std::size_t count = 0; ///< number of samples in the file; `points` may hold fewer
  std::vector<TelemetryPoint> points;
};

struct TelemetryFiles {
  std::vector<TelemetrySeries> series; ///< in the order of their first sample
  std::size_t foreign_runs = 0;        ///< number of run ids without a record
  std::vector<std::string> bad;        ///< unreadable rows: "gpu.csv, line 3: …"
};

/// True if the file begins like one that --telemetry wrote. False if it cannot be read.
[[nodiscard]] bool is_telemetry_file(const std::filesystem::path& file);

/// Reads the samples of the runs in `run_ids`, about `most_points` in total. If the files have
/// more, each series keeps every k-th sample and each sample at which the throttle reasons change.
/// Idle samples belong to no run and are ignored. Only the first unreadable row of each file is
/// listed in `bad`.
[[nodiscard]] TelemetryFiles read_telemetry(const std::vector<std::filesystem::path>& files,
                                            const std::unordered_set<std::string>& run_ids,
                                            std::size_t most_points);

} // namespace sdbench

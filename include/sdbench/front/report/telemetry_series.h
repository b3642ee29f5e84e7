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

/// One look at a device.
struct TelemetryPoint {
  double time_s = 0;                                 ///< since the program's start
  std::array<double, kDrawnSensors.size()> values{}; ///< NaN: no such sensor
  std::string phase;
  std::string throttle_reasons; ///< empty or "none": nothing held the clocks down
};

/// What the sensors of one device said during one row.
struct TelemetrySeries {
  std::string run_id;
  std::string device; ///< "gpu0" or "host"
  std::string uuid;
  std::size_t count = 0; ///< looks in the file; more than points where they were thinned
  std::vector<TelemetryPoint> points;
};

struct TelemetryFiles {
  std::vector<TelemetrySeries> series; ///< in the order of their first look
  std::size_t foreign_runs = 0;        ///< run ids in the files that no record has
  std::vector<std::string> bad;        ///< what could not be read: "gpu.csv, line 3: …"
};

/// Whether the file is one that --telemetry writes: by its first bytes. False for what cannot be
/// read.
[[nodiscard]] bool is_telemetry_file(const std::filesystem::path& file);

/// Reads the looks that belong to `run_ids`, about `most_points` of them in all: beyond that, each
/// series keeps every k-th, and each at which the throttle reasons change. Idle looks belong to no
/// run and are passed over. Rows that cannot be read are named in `bad` (the first of each file).
[[nodiscard]] TelemetryFiles read_telemetry(const std::vector<std::filesystem::path>& files,
                                            const std::unordered_set<std::string>& run_ids,
                                            std::size_t most_points);

} // namespace sdbench

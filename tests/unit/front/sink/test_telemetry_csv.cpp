#include "sdbench/front/sink/telemetry_csv.h"

#include "catch.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/telemetry/gpu_reading.h"

using namespace sdbench;

namespace {

TelemetrySample sample() {
  TelemetrySample made;
  made.time_s = 1.5;
  GpuReading& gpu = made.readings.gpus.emplace_back();
  gpu.load_percent = 90;
  gpu.power_w = 200.5;
  gpu.memory_used_bytes = 1024;
  gpu.pcie_width = 8;
  gpu.throttle_reasons = 0x44;
  made.readings.gpus.emplace_back().problem = "GPU is lost";
  made.readings.gpus.emplace_back().throttle_reasons = 0x1;
  made.readings.host.core_load_percent = {100, 0};
  made.readings.host.swap_used_bytes = 4096;
  return made;
}

const TelemetryTag kTag = {"run", "cell", "measure"};

/// Rows by column name.
std::vector<std::vector<std::string>> parsed() {
  std::vector<GpuFacts> gpus(2);
  gpus[0].uuid = "GPU-a";
  return parse_csv(telemetry_csv_header() + telemetry_csv_rows(sample(), {kTag, {kTag, kTag, kTag}},
                                                               gpus, "2026-11-21T08:00:00.000Z"));
}

std::string at(const std::vector<std::vector<std::string>>& rows, std::size_t row,
               const std::string& column) {
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    if (rows[0][i] == column) {
      return rows[row].at(i);
    }
  }
  FAIL("there is no column " + column);
  return {};
}

} // namespace

TEST_CASE("each moment has a row for every GPU and one for the host, tagged with cell and phase") {
  const auto rows = parsed();
  REQUIRE(rows.size() == 5);
  for (std::size_t row = 1; row < rows.size(); ++row) {
    CHECK(rows[row].size() == rows[0].size());
    CHECK(at(rows, row, "time_s") == "1.5");
    CHECK(at(rows, row, "run_id") == "run");
    CHECK(at(rows, row, "cell_id") == "cell");
    CHECK(at(rows, row, "phase") == "measure");
  }
  CHECK(at(rows, 1, "device") == "gpu0");
  CHECK(at(rows, 1, "uuid") == "GPU-a");
  CHECK(at(rows, 1, "load_percent") == "90");
  CHECK(at(rows, 1, "power_w") == "200.5");
  CHECK(at(rows, 1, "throttle_reasons") == "sw_power_cap hw_thermal_slowdown");
  CHECK(at(rows, 1, "pcie_width") == "8");
  CHECK(at(rows, 3, "throttle_reasons") == "none");
  CHECK(at(rows, 4, "device") == "host");
  CHECK(at(rows, 4, "load_percent") == "50");
  CHECK(at(rows, 4, "core_load_percent") == "100 0");
  CHECK(at(rows, 4, "swap_used_bytes") == "4096");
}

TEST_CASE("a missing sensor is an empty field, never a zero") {
  const auto rows = parsed();
  CHECK(at(rows, 1, "energy_j").empty());
  CHECK(at(rows, 2, "problem") == "GPU is lost");
  for (const char* column : {"load_percent", "clock_hz", "power_w", "memory_used_bytes",
                             "throttle_reasons", "pcie_generation"}) {
    CHECK(at(rows, 2, column).empty());
  }
  CHECK(at(rows, 4, "temperature_c").empty());
}

#include "sdbench/front/report/telemetry_series.h"

#include <algorithm>
#include <cmath>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/front/sink/telemetry_csv.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A row as --telemetry writes it, with power only.
std::string look(double time_s, const std::string& run_id, const std::string& power_w,
                 const std::string& throttle = "none") {
  return std::to_string(time_s) + ",\"2026\",\"" + run_id +
         "\",\"c\",\"measure\",\"gpu0\",\"u\",,,,," + power_w + ",,,,,,,,,,,,,,\"" + throttle +
         "\",\"\",\"\"\n";
}

} // namespace

TEST_CASE("a telemetry file is known by its header, and nothing else is one") {
  const test::ScratchFolder folder;
  CHECK(is_telemetry_file(folder.write("t.csv", telemetry_csv_header())));
  CHECK_FALSE(is_telemetry_file(folder.write("r.csv", "schema_version,run_id\n")));
  CHECK_FALSE(is_telemetry_file(folder.write("t.txt", telemetry_csv_header())));
  CHECK_FALSE(is_telemetry_file(folder.path() / "none.csv"));
}

TEST_CASE("telemetry that a spreadsheet has saved is read as it was") {
  const test::ScratchFolder folder;
  const std::string text = telemetry_csv_header() + look(1.5, "ours", "100.25");
  const auto with = [&](char separator) {
    std::string saved = text;
    std::ranges::replace(saved, ',', separator);
    std::ranges::replace(saved, '.', ',');
    return saved;
  };
  for (const std::string& saved : {"\xef\xbb\xbf" + text, "sep=,\r\n" + text, with(';'),
                                   "\xef\xbb\xbfsep=;\n" + with(';'), with('\t')}) {
    CAPTURE(saved);
    const auto file = folder.write("t.csv", saved);
    REQUIRE(is_telemetry_file(file));
    const TelemetryFiles read = read_telemetry({file}, {"ours"}, 100);
    CHECK(read.bad.empty());
    REQUIRE(read.series.size() == 1);
    CHECK(read.series[0].points[0].time_s == 1.5);
    CHECK(read.series[0].points[0].values[0] == 100.25);
  }
}

TEST_CASE("looks are gathered by run and device; other runs are counted, idle looks are no run") {
  const test::ScratchFolder folder;
  const auto file = folder.write("t.csv", telemetry_csv_header() + look(0, "", "20") +
                                              look(1, "ours", "100") + look(2, "theirs", "100") +
                                              look(3, "ours", "") + look(4, "theirs", "1"));
  const TelemetryFiles read = read_telemetry({file}, {"ours"}, 100);
  CHECK(read.foreign_runs == 1);
  CHECK(read.bad.empty());
  REQUIRE(read.series.size() == 1);
  CHECK(read.series[0].device == "gpu0");
  REQUIRE(read.series[0].points.size() == 2);
  CHECK(read.series[0].points[0].values[0] == 100);
  CHECK(std::isnan(read.series[0].points[1].values[0]));
  CHECK(read.series[0].points[1].phase == "measure");
}

TEST_CASE("a row that cannot be read is named, and the others are kept") {
  const test::ScratchFolder folder;
  const auto file = folder.write("t.csv", telemetry_csv_header() + look(0, "ours", "much") +
                                              look(1, "ours", "2") + "1,2\n" +
                                              look(2, "ours", "3").substr(0, 20));
  const TelemetryFiles read = read_telemetry({file}, {"ours"}, 100);
  REQUIRE(read.bad.size() == 1);
  CHECK_THAT(read.bad[0], ContainsSubstring("t.csv, line 2: "));
  CHECK(read.series.at(0).points.size() == 1);
  const auto headless = folder.write("h.csv", "time_s,time_utc\n1,2\n");
  CHECK_THAT(read_telemetry({headless}, {}, 100).bad.at(0), ContainsSubstring("column run_id"));
}

TEST_CASE("a file that is named twice is drawn once, and a value that is not finite is none") {
  const test::ScratchFolder folder;
  const auto file = folder.write("t.csv", telemetry_csv_header() + look(1, "ours", "100") +
                                              look(2, "ours", "nan") + look(3, "ours", "90") +
                                              look(4, "ours", "80"));
  const TelemetryFiles read = read_telemetry({file, file}, {"ours"}, 100);
  CHECK(read.series.at(0).points.size() <= 4);
  CHECK(std::ranges::is_sorted(read.series[0].points, {}, &TelemetryPoint::time_s));
  REQUIRE_FALSE(read.bad.empty());
  CHECK_THAT(read.bad[0], ContainsSubstring("line 3: a sensor's value must be a number"));
}

TEST_CASE("too many looks are thinned, but no change of the throttle reasons is lost") {
  const test::ScratchFolder folder;
  std::string text = telemetry_csv_header();
  for (int i = 0; i < 1000; ++i) {
    text += look(i, "ours", "1", i == 501 ? "sw_thermal_slowdown" : "none");
  }
  const TelemetryFiles read = read_telemetry({folder.write("t.csv", text)}, {"ours"}, 100);
  const TelemetrySeries& series = read.series.at(0);
  CHECK(series.count == 1000);
  CHECK(series.points.size() < 110);
  CHECK(std::ranges::count(series.points, "sw_thermal_slowdown",
                           &TelemetryPoint::throttle_reasons) == 1);
}

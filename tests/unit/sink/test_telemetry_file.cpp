#include "sdbench/sink/telemetry_file.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"
#include "sdbench/core/json_io.h"
#include "sdbench/sink/telemetry_csv.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using sdbench::test::ScratchFolder;

TEST_CASE("samples of several runs are appended under one header, and a cut line is taken away") {
  const ScratchFolder folder;
  const auto file = folder.path() / "t.csv";
  TelemetryFile(file).append("first\n");
  CHECK(read_text_file(file) == telemetry_csv_header() + "first\n");
  folder.write("t.csv", telemetry_csv_header() + "first\ncut o");
  TelemetryFile(file).append("second\n");
  CHECK(read_text_file(file) == telemetry_csv_header() + "first\nsecond\n");
}

TEST_CASE("a file of something else is refused and left as it is") {
  const ScratchFolder folder;
  const auto file = folder.write("t.csv", "run_id,host\n1,2\n");
  CHECK_THROWS_WITH(TelemetryFile(file), ContainsSubstring("name another"));
  CHECK(read_text_file(file) == "run_id,host\n1,2\n");
  CHECK_THROWS_AS(TelemetryFile("/no/such/folder/t.csv"), Error);
  CHECK_THROWS_AS(TelemetryFile("/dev/null"), Error);
}

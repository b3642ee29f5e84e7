#include "sdbench/report/report_files.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"
#include "sdbench/sink/telemetry_csv.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a folder stands for its result files, and telemetry is told from results") {
  const test::ScratchFolder folder;
  folder.write("b.jsonl", "");
  folder.write("a.csv", "");
  folder.write("t.csv", telemetry_csv_header());
  folder.write("notes.txt", "");
  folder.write("below/c.csv", "");
  const ReportFiles files = tell_apart({folder.path()});
  REQUIRE(files.results.size() == 2);
  CHECK(files.results[0].filename() == "a.csv");
  CHECK(files.telemetry.size() == 1);
}

TEST_CASE("a path that is not there is refused by its name") {
  CHECK_THROWS_AS(tell_apart({"/nowhere/x.csv"}), UsageError);
  CHECK_THROWS_WITH(tell_apart({"/nowhere/x.csv"}),
                    ContainsSubstring("\"/nowhere/x.csv\" is not there"));
}

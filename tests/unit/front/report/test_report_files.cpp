#include "sdbench/front/report/report_files.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/sink/telemetry_csv.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("telemetry is told from results, in folders as well") {
  const test::ScratchFolder folder;
  const auto results = folder.write("a.csv", "");
  const auto telemetry = folder.write("t.csv", telemetry_csv_header());
  folder.write("below/t.csv", telemetry_csv_header());
  CHECK(tell_apart({folder.path()}).results == std::vector{folder.path()});
  CHECK(tell_apart({folder.path()}).telemetry == std::vector{telemetry});
  CHECK(tell_apart({results, telemetry}).results == std::vector{results});
  CHECK(tell_apart({results, telemetry}).telemetry == std::vector{telemetry});
}

TEST_CASE("a path that is not there is refused by its name") {
  CHECK_THROWS_AS(tell_apart({"/nowhere/x.csv"}), UsageError);
  CHECK_THROWS_WITH(tell_apart({"/nowhere/x.csv"}),
                    ContainsSubstring("\"/nowhere/x.csv\" is not there"));
}

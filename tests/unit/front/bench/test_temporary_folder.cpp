#include "sdbench/front/bench/temporary_folder.h"

#include <fstream>

#include "catch.h"
#include "environment.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

TEST_CASE("a temporary folder is one's own and goes with all that is in it") {
  std::filesystem::path path;
  {
    const TemporaryFolder one;
    const TemporaryFolder other;
    path = one.path();
    CHECK(path != other.path());
    std::filesystem::create_directory(path / "deep");
    std::ofstream(path / "deep" / "file") << "x";
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("where no temporary folder can be made, the message says what to do") {
  const test::EnvironmentVariable no_folder("TMPDIR", "~/t");
  CHECK_THROWS_WITH(TemporaryFolder(),
                    "TMPDIR must be a folder that is there, but is ~/t; name another");
}

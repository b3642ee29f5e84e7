#include "sdbench/base/device/environment_settings.h"

#include "catch.h"
#include "environment.h"
#include "scratch_folder.h"

using namespace sdbench;
using sdbench::test::EnvironmentVariable;
using sdbench::test::ScratchFolder;

TEST_CASE("libraries that are loaded first are named, whoever asks for them") {
  const ScratchFolder root;
  const EnvironmentVariable none("LD_PRELOAD", nullptr);
  CHECK(preloaded_libraries(root.path()).empty());
  const EnvironmentVariable two("LD_PRELOAD", "/usr/lib/libjemalloc.so.2:libiomp5.so");
  CHECK(preloaded_libraries(root.path()) == "libjemalloc.so.2 libiomp5.so");
  root.write("etc/ld.so.preload", "# of the site\n/opt/site/libwatch.so # all programs\n");
  CHECK(preloaded_libraries(root.path()) == "libjemalloc.so.2 libiomp5.so libwatch.so");
}

#include "sdbench/base/device/environment_settings.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <dlfcn.h>

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
  Dl_info found{}; // of a library that each program has
  REQUIRE(dladdr(reinterpret_cast<void*>(&std::getenv), &found) != 0);
  const std::string path = found.dli_fname;
  const std::string name = std::filesystem::path(path).filename().string();
  const EnvironmentVariable two("LD_PRELOAD", (path + ":libm.so.6").c_str());
  CHECK(preloaded_libraries(root.path()) == name + " libm.so.6");
  root.write("etc/ld.so.preload", "# of the site\nlibgcc_s.so.1 # all programs\n");
  CHECK(preloaded_libraries(root.path()) == name + " libm.so.6 libgcc_s.so.1");
}

TEST_CASE("a library that the loader passed over is not named as loaded first") {
  const ScratchFolder root;
  root.write("etc/ld.so.preload", "/opt/site/libwatch.so\n");
  const std::string text = root.write("libjemalloc.so.2", "no library").string();
  const EnvironmentVariable some("LD_PRELOAD", ("/nowhere/libiomp5.so libm.so.6 " + text).c_str());
  CHECK(preloaded_libraries(root.path()) == "libm.so.6");
}

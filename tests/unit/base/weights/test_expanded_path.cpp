#include "sdbench/base/weights/expanded_path.h"

#include "catch.h"
#include "environment.h"

using namespace sdbench;
using test::EnvironmentVariable;

TEST_CASE("paths of the environment expand as Python expands them") {
  const EnvironmentVariable home("HOME", "/home/user");
  const EnvironmentVariable disk("SDBENCH_TEST_DISK", "/disk");
  const EnvironmentVariable none("SDBENCH_TEST_NONE", nullptr);
  CHECK(expanded_path("~") == "/home/user");
  CHECK(expanded_path("~/x") == "/home/user/x");
  CHECK(expanded_path("~other/x") == "~other/x");
  CHECK(expanded_path("/a/~/b") == "/a/~/b");
  CHECK(expanded_path("$SDBENCH_TEST_DISK/hub") == "/disk/hub");
  CHECK(expanded_path("${SDBENCH_TEST_DISK}hub") == "/diskhub");
  CHECK(expanded_path("a$SDBENCH_TEST_NONE$") == "a$SDBENCH_TEST_NONE$");
  CHECK(expanded_path("${SDBENCH_TEST_DISK") == "${SDBENCH_TEST_DISK");
}

#include "catch.h"

#include "environment.h"

#include "sdbench/base/files/home_path.h"

using namespace sdbench;
using test::EnvironmentVariable;

TEST_CASE("a tilde at the start of a path is the home folder") {
  const EnvironmentVariable home("HOME", "/home/user");
  CHECK(with_home("~") == "/home/user");
  CHECK(with_home("~/x") == "/home/user/x");
  CHECK(with_home("~other/x") == "~other/x");
  CHECK(with_home("/a/~/b") == "/a/~/b");
  CHECK(with_home("").empty());
}

TEST_CASE("without a home folder a tilde stays") {
  const EnvironmentVariable home("HOME", nullptr);
  CHECK(with_home("~/x") == "~/x");
}

TEST_CASE("an option's value is a path by its name in the help") {
  for (const char* name :
       {"FILE", "FILE.csv", "FILES", "DIR", "FOLDER", "NAME|PATH", "PATH|REPO|synthetic[:SEED]"}) {
    CHECK(is_path_value(name));
  }
  for (const char* name : {"TEXT", "TEXT|@FILE", "NAME", "N|auto", "WxH", ""}) {
    CHECK_FALSE(is_path_value(name));
  }
}

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

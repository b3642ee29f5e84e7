#include "sdbench/base/files/file_ending.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("what a file ends in is told in small letters, however its name writes it") {
  CHECK(file_ending("a/RESULTS.CSV") == ".csv");
  CHECK(file_ending("night.Json") == ".json");
  CHECK(file_ending("two.parts.md") == ".md");
  CHECK(file_ending("folder.d/results").empty());
  CHECK(file_ending("").empty());
}

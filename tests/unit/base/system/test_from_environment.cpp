#include "catch.h"
#include "sdbench/base/system/from_environment.h"

using namespace sdbench;

TEST_CASE("a message about a path that a variable led to names the variable") {
  for (const char* about :
       {"/data must be a folder", "cannot read /data/a.bin", "the file is '/data'", "is /data."}) {
    CHECK(with_variable(about, "/data", "SDBENCH_DATA") ==
          about + std::string("; SDBENCH_DATA leads there"));
  }
}

TEST_CASE(
    "a message about something else, or one that names the variable already, stays as it is") {
  for (const char* other : {"/data2 must be a folder", "/my/data must be a folder",
                            "/data.bin is cut", "SDBENCH_DATA is /data", "out of memory."}) {
    CHECK(with_variable(other, "/data", "SDBENCH_DATA") == other);
  }
  CHECK(with_variable("out of memory.", ".", "SDBENCH_DATA") == "out of memory.");
  CHECK(with_variable("/data is cut", "/data", "") == "/data is cut");
  CHECK(with_variable("nothing is there", "", "SDBENCH_DATA") == "nothing is there");
}

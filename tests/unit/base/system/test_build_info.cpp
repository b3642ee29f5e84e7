#include "catch.h"

#include <algorithm>
#include <string>

#include "sdbench/base/system/build_info.h"

using namespace sdbench;

TEST_CASE("the version is three numbers") {
  const std::string text(version());
  CHECK(std::count(text.begin(), text.end(), '.') == 2);
  CHECK(text.find_first_not_of("0123456789.") == std::string::npos);
}

TEST_CASE("the commit is known, or said to be unknown") {
  std::string sha(git_sha());
  if (sha != "unknown") {
    const std::string dirty = "-dirty";
    if (sha.size() > dirty.size() && sha.substr(sha.size() - dirty.size()) == dirty) {
      sha.resize(sha.size() - dirty.size());
    }
    CHECK(sha.size() == 40);
    CHECK(sha.find_first_not_of("0123456789abcdef") == std::string::npos);
  }
}

TEST_CASE("the build type is named") {
  CHECK_FALSE(build_type().empty());
}

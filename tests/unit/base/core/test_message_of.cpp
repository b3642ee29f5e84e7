#include "sdbench/base/core/message_of.h"

#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "catch.h"

using namespace sdbench;

TEST_CASE("an error of the file system is said in our words, any other as it is") {
  const std::filesystem::filesystem_error loop(
      "status", "a/b", std::make_error_code(std::errc::too_many_symbolic_link_levels));
  CHECK(message_of(loop) ==
        "cannot use a/b: Too many levels of symbolic links; correct or remove it");
  CHECK(message_of(std::runtime_error("as it is")) == "as it is");
}

#include "sdbench/base/errors/message_of.h"

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
  const std::system_error busy(std::make_error_code(std::errc::device_or_resource_busy));
  CHECK(message_of(busy) == busy.what());
}

TEST_CASE("a thread that the system refuses, as an old seccomp profile does, names the limits") {
  for (const auto code :
       {std::errc::operation_not_permitted, std::errc::resource_unavailable_try_again}) {
    const std::string message = message_of(std::system_error(std::make_error_code(code)));
    CHECK(message.starts_with("the system must allow one more thread, but refuses it ("));
    CHECK(message.ends_with("its seccomp profile, which must allow clone3"));
  }
}

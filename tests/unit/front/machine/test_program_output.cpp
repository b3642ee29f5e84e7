#include "sdbench/front/machine/program_output.h"

#include <chrono>
#include <sstream>
#include <string>

#include "catch.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

TEST_CASE("a program's two outputs and its exit code are told, however much it writes") {
  const auto told =
      program_output({"sh", "-c", "head -c 300000 /dev/zero; echo no >&2; read line; exit 3"}, 20);
  REQUIRE(told);
  CHECK(told->code == 3);
  CHECK(told->out.size() == 300000);
  CHECK(told->err == "no\n");
}

TEST_CASE("a program that a signal ends has its number, as shells count") {
  const auto told = program_output({"sh", "-c", "kill -TERM $$"}, 20);
  REQUIRE(told);
  CHECK(told->code == 128 + 15);
}

TEST_CASE("a program has a process group of its own, which a terminal's Ctrl-C does not reach") {
  const auto told = program_output({"sh", "-c", "echo $$ $(cut -d ' ' -f 5 /proc/$$/stat)"}, 20);
  REQUIRE(told);
  std::istringstream words(told->out);
  std::string process;
  std::string group;
  words >> process >> group;
  CHECK(!process.empty());
  CHECK(process == group);
}

TEST_CASE("a program that is not in PATH is told from one that fails") {
  CHECK_FALSE(program_output({"no-such-program-of-sdbench"}, 20));
  CHECK_THROWS_AS(program_output({"/etc/passwd"}, 20), Error);
}

TEST_CASE("a program that does not end is ended and named") {
  const auto start = std::chrono::steady_clock::now();
  CHECK_THROWS_WITH(program_output({"sleep", "60"}, 0.1),
                    "sleep must be done within 0.100 s, but is not");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

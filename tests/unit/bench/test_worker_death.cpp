#include "catch.h"

#include <csignal>

#include "sdbench/bench/worker_death.h"

using namespace sdbench;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a SIGKILL is out of memory only if the kernel counted one") {
  CHECK(explain_death({SIGKILL, true, true, "load", ""}).status == Status::kOomHost);
  CHECK(explain_death({SIGKILL, true, false, "load", ""}).status == Status::kCrash);
  CHECK(explain_death({SIGSEGV, true, true, "load", ""}).status == Status::kCrash);
}

TEST_CASE("the loader's complaint counts only before the worker's first line") {
  const std::string complaint = "worker: symbol lookup error: undefined symbol: _ZN2at\n";
  CHECK(contains(explain_death({127 << 8, false, false, "start", complaint}).message, "_ZN2at"));
  CHECK(explain_death({127 << 8, false, false, "start", complaint}).status == Status::kError);
  CHECK(explain_death({127 << 8, true, false, "load", complaint}).status == Status::kCrash);
}

TEST_CASE("the last line of a text is its last that is not blank") {
  CHECK(last_line("") == "");
  CHECK(last_line(" \n\n") == "");
  CHECK(last_line("one") == "one");
  CHECK(last_line("one\ntwo\n \n") == "two");
}

#include <cmath>
#include <limits>
#include <string>

#include <sys/stat.h>

#include "catch.h"
#include "scratch_folder.h"

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;

namespace {

std::string refusal(const std::string& content) {
  const test::ScratchFolder folder;
  try {
    (void)read_json_file(folder.write("file.json", content));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("JSON files are read, and what is not JSON is refused with its place") {
  const test::ScratchFolder folder;
  const auto file = folder.write("file.json", R"({"a": [1, 2.5, "x"]})");
  CHECK(read_json_file(file)["a"][1] == 2.5);
  CHECK(refusal("{\n  \"a\": }").find("line 2") != std::string::npos);
  CHECK(refusal("").find("must be JSON") != std::string::npos);
  CHECK(refusal("{\"a\": 1e999}").find("must be JSON") != std::string::npos);
}

TEST_CASE("numbers that Python writes and JSON does not know are read and written") {
  const Json read = parse_json(R"({"low": -Infinity, "high": [Infinity, 1], "none": NaN,
                                   "text": "NaN \" -Infinity", "minus": -1.5})");
  CHECK(read["low"] == -std::numeric_limits<double>::infinity());
  CHECK(read["high"][0] == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(read["none"].get<double>()));
  CHECK(read["text"] == "NaN \" -Infinity");
  CHECK(read["minus"] == -1.5);
  CHECK(
      json_text(read) ==
      R"({"high":[Infinity,1],"low":-Infinity,"minus":-1.5,"none":NaN,"text":"NaN \" -Infinity"})");
  CHECK(refusal("{\n\"a\": -Infinity, \"b\": Infinite}").find("line 2, column 22") !=
        std::string::npos);
  CHECK(refusal("[nan]").find("must be JSON") != std::string::npos);
}

TEST_CASE("nesting that could overflow the stack is refused") {
  CHECK(refusal(std::string(64, '[') + std::string(64, ']')).empty());
  CHECK(refusal(std::string(100'000, '[')).find("levels deep") != std::string::npos);
}

TEST_CASE("a reason stays short, whatever the file holds") {
  CHECK(refusal("\"" + std::string(1'000'000, 'x')).size() < 500);
}

TEST_CASE("a pipe is refused without waiting for a writer") {
  const test::ScratchFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(read_text_file(pipe), "cannot read " + pipe.string() +
                                              ": it must be a file, but is a device or a pipe");
  CHECK_THROWS_AS(read_json_file(pipe), Error);
}

TEST_CASE("bytes of a broken file that are no text do not reach the message") {
  CHECK(refusal("\xff\xfe").find('\xff') == std::string::npos);
}

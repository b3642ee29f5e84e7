#include "catch.h"

#include <string>

#include "scratch_folder.h"

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/plain_text.h"

using namespace sdbench;

namespace {

std::string refusal_of_bytes(const std::string& bytes) {
  try {
    (void)to_plain_text(bytes, "prompts.txt");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

const std::string kLittle("\xff\xfe\x48\0\xe9\0\x3d\xd8\x00\xde", 10); // "Hé😀"
const std::string kBig("\xfe\xff\0\x48\0\xe9\xd8\x3d\xde\x00", 10);

} // namespace

TEST_CASE("a byte order mark is no part of a text") {
  CHECK(to_plain_text("\xef\xbb\xbf"
                      "a lake",
                      "") == "a lake");
  CHECK(to_plain_text("a \xef\xbb\xbflake", "") == "a \xef\xbb\xbflake");
  CHECK(to_plain_text("", "").empty());
}

TEST_CASE("UTF-16 is told by its mark and read") {
  CHECK(to_plain_text(kLittle, "") == "Hé😀");
  CHECK(to_plain_text(kBig, "") == "Hé😀");
}

TEST_CASE("what is no text in UTF-8 or UTF-16 is refused with line and remedy") {
  CHECK(refusal_of_bytes("one\ncaf\xe9\n") ==
        "prompts.txt must be UTF-8, but line 2 is not (Latin-1, or another of Windows' "
        "encodings?); save it as UTF-8");
  CHECK(refusal_of_bytes(std::string("a\0b\0", 4)).find("line 1 has a zero byte") !=
        std::string::npos);
  CHECK(refusal_of_bytes(kLittle.substr(0, 8)).find("half of a surrogate pair") !=
        std::string::npos);
  CHECK(refusal_of_bytes(kBig.substr(0, 5)).find("half of a 16-bit unit") != std::string::npos);
  CHECK(refusal_of_bytes("\xef\xbf\xbd").empty()); // U+FFFD itself
}

TEST_CASE("a JSON file may have a mark or be UTF-16, and is refused by its encoding") {
  const test::ScratchFolder folder;
  const auto read = [&](const std::string& bytes) {
    return read_json_file(folder.write("file.json", bytes));
  };
  CHECK(read("\xef\xbb\xbf{\"a\": 1}")["a"] == 1);
  CHECK(read(std::string("\xff\xfe[\0]\0", 6)).is_array());
  CHECK_THROWS_WITH(read("{\"a\": \"caf\xe9\"}"),
                    Catch::Matchers::ContainsSubstring("must be UTF-8, but line 1"));
}

#include "catch.h"

#include "sdbench/base/text/utf8.h"

using namespace sdbench;

TEST_CASE("every code point survives encoding and decoding") {
  std::u32string all;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c < 0xD800 || c > 0xDFFF) {
      all += c;
    }
  }
  const std::string bytes = encode_utf8(all);
  CHECK(bytes.size() == 0x80u + 2u * 0x780u + 3u * (0xF800u - 0x800u) + 4u * 0x100000u);
  CHECK(decode_utf8(bytes) == all);
  CHECK(to_valid_utf8(bytes) == bytes);
}

// Expected values: bytes.decode("utf-8", errors="replace") of CPython 3.11.
TEST_CASE("broken UTF-8 is replaced as Python replaces it") {
  const auto decode = [](std::string_view bytes) { return decode_utf8(bytes); };
  CHECK(decode("a\x80z") == U"a\uFFFDz");
  CHECK(decode("\xC3") == U"\uFFFD");
  CHECK(decode("\xC3(") == U"\uFFFD(");
  CHECK(decode("\xC0\xAF") == U"\uFFFD\uFFFD");
  CHECK(decode("\xE2\x82") == U"\uFFFD");
  CHECK(decode("\xE2\x82z") == U"\uFFFDz");
  CHECK(decode("\xE0\x80\x80") == U"\uFFFD\uFFFD\uFFFD");
  CHECK(decode("\xED\xA0\x80") == U"\uFFFD\uFFFD\uFFFD"); // a surrogate
  CHECK(decode("\xF0\x9F\x98") == U"\uFFFD");
  CHECK(decode("\xF0\x9F\x98\xF0\x9F\x98\x80") == U"\uFFFD\U0001F600");
  CHECK(decode("\xF4\x90\x80\x80") == U"\uFFFD\uFFFD\uFFFD\uFFFD"); // over U+10FFFF
  CHECK(decode("\xF5\xFF") == U"\uFFFD\uFFFD");
  CHECK(to_valid_utf8("caf\xE9") == "caf\xEF\xBF\xBD");
}

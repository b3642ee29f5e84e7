#include "sdbench/base/text/escape.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

#include "catch.h"

using namespace sdbench;
using namespace std::string_literals;

TEST_CASE("valid UTF-8 stays, other bytes become hexadecimal escapes") {
  CHECK(escape_text("grün 漢 😀") == "grün 漢 😀");
  CHECK(escape_text("a\xff") == "a\\xff");
  CHECK(escape_text("\xc3") == "\\xc3");                            // cut off
  CHECK(escape_text("\xc0\x80") == "\\xc0\\x80");                   // overlong
  CHECK(escape_text("\xed\xa0\x80") == "\\xed\\xa0\\x80");          // a surrogate
  CHECK(escape_text("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80"); // beyond U+10FFFF
  CHECK(escape_text("a\\b") == "a\\\\b");
}

TEST_CASE("escaping can be turned back for any bytes") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    all += static_cast<char>(byte);
  }
  for (const std::string& text : {all, "\\xff"s, "\\\\x41"s, "plain"s, "\\"s, ""s, "\xf0\x9f"s}) {
    CHECK(unescape_text(escape_text(text)) == text);
  }
}

TEST_CASE("unescaping leaves foreign backslashes alone") {
  CHECK(unescape_text("\\n \\xzz \\x4") == "\\n \\xzz \\x4");
}

TEST_CASE("control characters that a terminal would obey become escapes, tabs and line ends stay") {
  CHECK(escape_text("a\tb\r\n") == "a\tb\r\n");
  CHECK(escape_text("\x1b[31m\x07\x7f\0"s) == "\\x1b[31m\\x07\\x7f\\x00");
  CHECK(escape_text("\xc2\x9b"
                    "31m \xc2\xa0") == "\\xc2\\x9b31m \xc2\xa0"); // U+009B is ESC [
}

TEST_CASE("characters that turn the direction of text become escapes, letters of any script stay") {
  CHECK(escape_text("a\u202eb\u2066c") == "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c");
  CHECK(escape_text("\u2029\u202f \u05d0\u0628 \u2065\u206a") ==
        "\u2029\u202f \u05d0\u0628 \u2065\u206a");
  CHECK(unescape_text(escape_text("\u202d")) == "\u202d");
}

TEST_CASE("one_line has no control characters") {
  CHECK(one_line("a\nb\tc\x1b[31m\x7f") == "a b c\\x1b[31m\\x7f");
  CHECK(one_line("\\") == "\\\\");
}

TEST_CASE("another program's colours go, and with them a code that was cut") {
  CHECK(without_colours("\x1b[96ma step\x1b[0m [1;2m] \x1b[1;3") == "a step [1;2m] ");
  CHECK(without_colours("plain") == "plain");
}

TEST_CASE("a message's own backslashes stay single") {
  CHECK(message_line("is \"a\\nb\"\n\x1b\xff") == "is \"a\\nb\" \\x1b\\xff");
}

namespace {

/// What a shell hands a program that the word is given to.
std::string read_by_shell(const std::string& word) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> shell(
      ::popen(("printf %s " + word).c_str(), "r"), &::pclose);
  REQUIRE(shell != nullptr);
  std::array<char, 256> text{};
  return {text.data(), std::fread(text.data(), 1, text.size(), shell.get())};
}

} // namespace

TEST_CASE("a plain path is a word of a command as it is") {
  for (const char* const path : {"a.csv", "/home/me/sdbench-results/host_1.jsonl", "naïve/猫.db"}) {
    CHECK(shell_word(path) == path);
  }
}

TEST_CASE("a shell reads back what is no plain path") {
  for (const std::string path :
       {"", "my results.csv", "it's.csv", "'", "\"quoted\".csv", "$HOME", "a;ls", "*.csv", "~",
        "a\\b", "back\\", "two\nlines", "!1", "a&b", "#a", "`ls`"}) {
    const std::string word = shell_word(path);
    CHECK(word != path);
    CHECK(read_by_shell(word) == path);
  }
}

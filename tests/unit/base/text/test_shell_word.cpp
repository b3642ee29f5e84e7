#include "sdbench/base/text/shell_word.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

#include "catch.h"

using namespace sdbench;

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

#include "sdbench/base/text/listed.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"

using namespace sdbench;

TEST_CASE("words are listed with a word before the last") {
  CHECK(listed({"a", "b", "c"}) == "a, b or c");
  CHECK(listed({"a", "b"}, "and") == "a and b");
  CHECK(listed({"a", "b"}, "") == "a, b");
  CHECK(listed({"a"}) == "a");
  CHECK(listed({}).empty());
}

TEST_CASE("a text is split at each separator, and keeps its empty parts") {
  using Parts = std::vector<std::string_view>;
  CHECK(split("a,,b,", ',') == Parts{"a", "", "b", ""});
  CHECK(split("", ',') == Parts{""});
  CHECK(split("a:b", ',') == Parts{"a:b"});
}

TEST_CASE("parts are joined where they are not empty") {
  CHECK(joined({"", "a", "", "b"}) == "a, b");
  CHECK(joined({"a", "b"}, "+") == "a+b");
  CHECK(joined({}).empty());
}

TEST_CASE("a list of what a function or a member gives for each item") {
  const std::vector<std::string> words = {"a", "bcd"};
  CHECK(mapped(words, [](const std::string& word) { return word.size(); }) ==
        std::vector<std::size_t>{1, 3});
  CHECK(mapped<long>(words, &std::string::size) == std::vector<long>{1, 3});
  CHECK(mapped<std::string>(std::vector<std::string_view>(), std::identity()).empty());
}

TEST_CASE("a list of the items that are wanted, and of the values that are known") {
  const std::vector<int> numbers = {1, 2, 3, 4};
  CHECK(filtered(numbers, [](int number) { return number % 2 == 0; }) == std::vector<int>{2, 4});
  CHECK(mapped_known(numbers, [](int number) {
          return number > 2 ? std::optional(10 * number) : std::nullopt;
        }) == std::vector<int>{30, 40});
}

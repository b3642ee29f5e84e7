#include "sdbench/front/results/json_items.h"

#include <vector>

#include "catch.h"

using namespace sdbench;

namespace {

/// All objects as "LINE: text", with broken ones as "LINE! reason".
std::vector<std::string> items_of(std::string_view text,
                                  JsonItems::Form form = JsonItems::Form::kDocument) {
  ByteWindow window(text_source(text));
  JsonItems items(window, form);
  std::vector<std::string> all;
  while (items.to_next()) {
    const bool is_item = items.look() == JsonItems::Found::kItem;
    all.push_back(std::to_string(items.line()) +
                  (is_item ? ": " + std::string(items.item()) : "! " + items.reason()));
  }
  return all;
}

using All = std::vector<std::string>;
constexpr auto kLines = JsonItems::Form::kLines;

} // namespace

TEST_CASE("objects are found in an array, in lines, and in texts behind each other") {
  CHECK(items_of("[{\"a\": \"}\\\"{\"}, {}]\n[{\"b\":\n[{}]}]") ==
        All{"1: {\"a\": \"}\\\"{\"}", "1: {}", "2: {\"b\":\n[{}]}"});
  CHECK(items_of("{\"a\": 1}\n\n{}\r\n", kLines) == All{"1: {\"a\": 1}", "3: {}"});
  CHECK(items_of(" [ ] \n").empty());
}

TEST_CASE("a broken object of a document leaves the others") {
  CHECK(items_of("[3, {}, \"x\", {\"b\":2}]") ==
        All{"1! must begin with a brace, as an object does", "1: {}",
            "1! must begin with a brace, as an object does", "1: {\"b\":2}"});
  CHECK(items_of("[\n  {\"a\": \"cut\n  {\"b\": 2}\n]") ==
        All{"2! must be closed before its line ends", "3: {\"b\": 2}"});
  CHECK(items_of("[\n  {\"a\": [1,\n  {\"b\": 2}\n]") ==
        All{"2! must be closed before the file ends", "3: {\"b\": 2}"});
}

TEST_CASE("a line that was cut leaves the next one, wherever the cut is") {
  CHECK(items_of("{\"a\": \"cu\n{}\n{\"a\": [\n{}", kLines) ==
        All{"1! must be closed before its line ends", "2: {}",
            "3! must be closed before its line ends", "4: {}"});
  CHECK(items_of("{\"a\": \\", kLines) == All{"1! must be closed before the file ends"});
  CHECK(items_of("x {}\n{}", kLines) ==
        All{"1! must begin with a brace, as an object does", "2: {}"});
}

TEST_CASE("what is nested too deep is no item, and the next one is found") {
  const std::string bomb =
      "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}\n{}";
  CHECK(items_of(bomb) == All{"1! must be nested at most 64 levels deep, but is deeper", "2: {}"});
  CHECK(items_of(std::string(100'000, '{')).size() == 1);
}

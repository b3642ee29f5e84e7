#include "sdbench/base/types/tags.h"

#include <string>
#include <vector>

#include "catch.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("tags are joined by key, whatever their order was") {
  CHECK(joined_tags({"room_c=21", "cooler=air"}) == "cooler=air room_c=21");
  CHECK(joined_tags({"a=b=c", "b=\u00e9"}) == "a=b=c b=\u00e9");
  CHECK(joined_tags({}).empty());
  const std::vector<std::string> longest = {std::string(32, 'k') + "=" + std::string(100, 'v')};
  CHECK(joined_tags(longest) == longest.front());
}

TEST_CASE("what is no tag is refused in one line that says what a tag is") {
  const auto refused = [](const std::vector<std::string>& given, const std::string& words) {
    INFO(given.front());
    CHECK_THROWS_WITH(joined_tags(given),
                      Catch::Matchers::StartsWith("tag must ") && ContainsSubstring(words));
    CHECK_THROWS_AS(joined_tags(given), UsageError);
  };
  for (const char* const text : {"cooler", "=x", "", "Cooler=x", "a b=x", "a-b=x", "\n=x"}) {
    refused({text}, "be KEY=VALUE with a key");
  }
  for (const char* const text :
       {"a=", "a=b c", "a=b\tc", "a=b\nc", "a=\x1b[2J", "a=\xff", "a=b\\c", "a=\u202ex"}) {
    refused({text}, "a value of UTF-8 without blanks");
  }
  refused({std::string(33, 'k') + "=v"}, "1 to 32");
  refused({"a=" + std::string(300, 'v')}, "at most 100 bytes, but that of a has 300");
  refused({"a=1", "b=1", "a=2"}, "names a twice");
  std::vector<std::string> many;
  for (int i = 0; i < 17; ++i) {
    many.push_back("k" + std::to_string(i) + "=v");
  }
  refused(many, "at most 16 times, but is 17 times");
}

TEST_CASE("a tag is found by its whole key") {
  const std::string tags = "cooler=air room_c=21 x=a=b";
  CHECK(tag_value(tags, "cooler") == "air");
  CHECK(tag_value(tags, "x") == "a=b");
  CHECK(tag_value(tags, "cool").empty());
  CHECK(tag_value(tags, "cooler=air").empty());
  CHECK(tag_value("", "cooler").empty());
  CHECK(tag_value("what a file may hold", "what").empty());
  CHECK(tags_of(tags, std::vector<std::string>{"x", "cooler"}) == "cooler=air x=a=b");
  CHECK(tags_of("", std::vector<std::string>{"x"}).empty());
}

TEST_CASE("a field's name may be that of one tag") {
  CHECK(tag_key_of("tag:cooler", "--rows") == "cooler");
  CHECK(tag_key_of("tags", "--rows").empty());
  CHECK_THROWS_AS(tag_key_of("tag:", "--rows"), UsageError);
  CHECK_THROWS_WITH(tag_key_of("tag:a b", "--rows"),
                    Catch::Matchers::StartsWith("--rows must have the key of a --tag"));
}

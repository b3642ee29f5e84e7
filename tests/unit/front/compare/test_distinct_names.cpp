#include "sdbench/front/compare/distinct_names.h"

#include "catch.h"

using namespace sdbench;

using Names = std::vector<std::string>;

TEST_CASE("only the words that tell two things apart are added") {
  const std::vector<Nameable> items = {{"Card", {"on a", "fp16", "flash"}, "1"},
                                       {"Card", {"on b", "fp16", "flash"}, "2"},
                                       {"Card", {"on b", "fp32", "math"}, "3"},
                                       {"Other", {"on c", "fp16", "flash"}, "4"}};
  CHECK(distinct_names(items) == Names{"Card on a", "Card on b, fp16", "Card on b, fp32", "Other"});
}

TEST_CASE("what no word tells apart is named by its id") {
  const std::vector<Nameable> items = {{"Card", {"x"}, "id 1"}, {"Card", {"x"}, "id 2"}};
  CHECK(distinct_names(items) == Names{"Card, id 1", "Card, id 2"});
}

TEST_CASE("an empty word tells something apart, but is not written") {
  const std::vector<Nameable> items = {{"Card", {""}, "1"}, {"Card", {"channels-last"}, "2"}};
  CHECK(distinct_names(items) == Names{"Card", "Card, channels-last"});
  CHECK(distinct_names({}).empty());
}

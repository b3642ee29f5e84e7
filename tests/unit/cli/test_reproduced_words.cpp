#include "sdbench/cli/reproduced_words.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("a reproduction's verdict is one phrase with its change and interval") {
  const Ratio ratio{0.9, Interval{0.8, 1.012}};
  CHECK(reproduced_words(Verdict::kSlower, ratio) ==
        "slower: -10.0 % (95 % interval -20 to +1.2 %)");
  CHECK(reproduced_words(Verdict::kFaster, ratio).starts_with("faster: "));
  CHECK(reproduced_words(Verdict::kSame, ratio).starts_with("the same within 5 %: "));
  CHECK(reproduced_words(Verdict::kUnclear, {1.5, std::nullopt}) ==
        "unclear: +50 % (no interval: one of the two has a single run)");
}

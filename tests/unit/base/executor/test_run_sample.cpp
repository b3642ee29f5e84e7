#include "sdbench/base/executor/run_sample.h"

#include <string>
#include <vector>

#include "catch.h"

using namespace sdbench;

TEST_CASE(
    "a part's times add up over the batches, and parts stay in the order in which they came") {
  RunSample sample;
  for (const double seconds : {1.0, 2.0}) {
    add_seconds(sample, "text", seconds);
    add_seconds(sample, "unet", 10 * seconds);
  }
  REQUIRE(sample.parts.size() == 2);
  CHECK(sample.parts[0].name == "text");
  CHECK(seconds_of(sample, "text") == 3.0);
  CHECK(seconds_of(sample, "unet") == 30.0);
  CHECK_FALSE(seconds_of(sample, "vae"));
}

TEST_CASE("a part is the member of JSON that has its name, and the run's own members are no part") {
  CHECK(member_of_part("text") == "text_s");
  CHECK(part_of_member("text_s") == "text");
  CHECK(part_of_member("optimizer_2_s") == "optimizer_2");
  for (const char* const other :
       {"e2e_s", "step_s", "start_s", "text", "_s", "s", "", "Text_s", "a b_s", "\xc3\xa9_s"}) {
    INFO(other);
    CHECK_FALSE(part_of_member(other));
  }
}

TEST_CASE("parts have members if each has a name of its own that makes one") {
  const auto have = [](const std::vector<std::string>& names) {
    std::vector<PartTime> parts;
    for (const std::string& name : names) {
      parts.push_back({name, 1});
    }
    return have_members(parts);
  };
  CHECK(have({}));
  CHECK(have({"text", "unet", "vae"}));
  CHECK_FALSE(have({"text", "text"}));
  CHECK_FALSE(have({"text", "e2e"}));
  CHECK_FALSE(have({""}));
  CHECK_FALSE(have({"two words"}));
}

#include "sdbench/front/record/flags.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("flags are words, each once") {
  RunRecord record;
  CHECK_FALSE(has_flag(record, "noisy"));
  add_flag(record, "noisy");
  add_flag(record, "drift");
  add_flag(record, "noisy");
  CHECK(record.flags == "noisy drift");
  CHECK(has_flag(record, "drift"));
  CHECK_FALSE(has_flag(record, "nois"));
  CHECK_FALSE(has_flag(record, "noisy drift2"));
}

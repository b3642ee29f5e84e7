#include "sdbench/bench/environment.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("the context names this program and this machine") {
  const RecordContext context = current_context();
  CHECK_FALSE(context.sdbench_version.empty());
  CHECK_FALSE(context.host.empty());
  CHECK(context.core_count >= 1);
  CHECK(context.memory_total_bytes > 0);
  CHECK(context.run_id.empty());
  CHECK_FALSE(context.machine.kernel.empty());
}

TEST_CASE("ids are 16 hexadecimal digits and differ") {
  const std::string id = random_id();
  CHECK(id.size() == 16);
  CHECK(id.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(id != random_id());
}

TEST_CASE("the time is ISO 8601 in UTC") {
  const std::string time = utc_now();
  REQUIRE(time.size() == 20);
  CHECK(time[10] == 'T');
  CHECK(time.back() == 'Z');
}

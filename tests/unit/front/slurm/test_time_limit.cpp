#include "sdbench/front/slurm/time_limit.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("a time limit is read in every form of sbatch's") {
  CHECK(time_limit_s("30") == 30 * 60);
  CHECK(time_limit_s("30:15") == 30 * 60 + 15);
  CHECK(time_limit_s("2:00:05") == 2 * 3600 + 5);
  CHECK(time_limit_s("1-12") == 36 * 3600);
  CHECK(time_limit_s("1-12:30") == 36 * 3600 + 30 * 60);
  CHECK(time_limit_s("0-0:01:00") == 60);
}

TEST_CASE("what is no limit, or no time, has no seconds") {
  for (const char* text : {"", "0", "0:00", "UNLIMITED", "-1", "soon", "1:2:3:4", "1:-2", "1-",
                           "1-2-3", "1:2-3", "9999999999999", ":", "1.5"}) {
    INFO(text);
    CHECK_FALSE(time_limit_s(text));
  }
}

TEST_CASE("a time limit is told as Slurm tells it, and read again") {
  for (const char* text : {"00:10:00", "1-12:00:00", "05:00:07"}) {
    CHECK(time_limit_text(*time_limit_s(text)) == text);
  }
}

#include "sdbench/front/slurm/sbatch_option.h"

#include "catch.h"

using namespace sdbench;

namespace {

constexpr SbatchOption kTime{"--time", "-t"};
constexpr SbatchOption kTimeMin{"--time-min", ""};
constexpr SbatchOption kMemory{"--mem", ""};
constexpr SbatchOption kMemoryPerGpu{"--mem-per-gpu", ""};

} // namespace

TEST_CASE("an option of sbatch's is found by its name, its letter and its name's beginning") {
  for (const char* word : {"--time=5", "--time", "-t5", "-t", "--tim=5", "--ti"}) {
    INFO(word);
    CHECK(is_given(kTime, {"--account=lab", word}));
  }
  CHECK_FALSE(is_given(kTime, {}));
  CHECK_FALSE(is_given(kTime, {"--time-min=5", "--t=5", "--account", "time"}));
}

TEST_CASE("a name that begins another one is its own alone") {
  CHECK_FALSE(is_given(kTimeMin, {"--time=5"}));
  CHECK_FALSE(is_given(kMemoryPerGpu, {"--mem=5G"}));
  CHECK_FALSE(is_given(kMemory, {"--mem-bind=local", "--mem-per-gpu=5G"}));
  CHECK(is_given(kMemory, {"--mem=5G"}));
  CHECK(is_given(kMemoryPerGpu, {"--mem-per-g=5G"}));
}

TEST_CASE("the next word is no value of an option that has none or has it joined") {
  for (const char* option : {"--time", "-t", "--account", "--kill-on-invalid-dep", "-A", "--mem"}) {
    INFO(option);
    CHECK(may_take_next_word(option));
  }
  for (const char* option : {"--time=5", "-t5", "--exclusive", "--exclusive=user", "--exclus",
                             "--oversubscribe", "-s", "-H", "-Hs", "--requeue", "--nice"}) {
    INFO(option);
    CHECK_FALSE(may_take_next_word(option));
  }
}

TEST_CASE("the last value of an option of sbatch's is the one that it takes") {
  CHECK(value_given(kTime, {"--time=5", "-t", "6"}) == "6");
  CHECK(value_given(kTime, {"-t6", "--tim", "7"}) == "7");
  CHECK(value_given(kTime, {"--time="}) == "");
  CHECK(value_given(kTime, {"--time"}) == "");
  CHECK_FALSE(value_given(kTime, {"--time-min=5"}));
}

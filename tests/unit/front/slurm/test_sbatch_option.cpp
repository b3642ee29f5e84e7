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

TEST_CASE("an option is taken out with its value, in each of its forms, and nothing else is") {
  using Words = std::vector<std::string>;
  const auto rest = [](const Words& words) { return without_options(words, kGpuCounts); };
  CHECK(rest({"--gpus", "2", "--time", "5"}) == Words{"--time", "5"});
  CHECK(rest({"--gpus=2", "-G2", "-G", "2", "--gpus-per-n=1", "-A", "lab"}) == Words{"-A", "lab"});
  CHECK(rest({"--gres-flags=none", "--exclusive"}) == Words{"--gres-flags=none", "--exclusive"});
}

TEST_CASE("GPUs are counted by each option that does") {
  CHECK(count_gpus({"--gpus=2"}));
  CHECK(count_gpus({"--tres-per-task=cpu:1,gres/gpu:1"}));
  CHECK_FALSE(count_gpus({"--gpu-bind=none", "--cpus-per-gpu=2", "--tres-per-task=cpu:1"}));
}

TEST_CASE("the largest number of GPUs that options count is found with the option that does") {
  using Words = std::vector<std::string>;
  const auto counts = [](const Words& words) {
    Words found;
    for (const GpusAsked& asked : gpus_asked(words)) {
      found.push_back(asked.option + " " + asked.kind.type + ":" +
                      std::to_string(asked.kind.count));
    }
    return found;
  };
  CHECK(counts({"--gpus=2", "-G3"}) == Words{"--gpus :3"});
  CHECK(counts({"--gres=scratch:5,gpu:a100:2(S:0-1)"}) == Words{"--gres a100:2"});
  CHECK(counts({"--gpus-per-task", "a:1,b:2"}) ==
        Words{"--gpus-per-task a:1", "--gpus-per-task b:2"});
  CHECK(counts({"--tres-per-task=cpu:4,gres/gpu:a:2"}) == Words{"--tres-per-task a:2"});
  CHECK(counts({"--tres-per-task=gres:gpu:2"}) == Words{"--tres-per-task :2"});
  CHECK(counts({"--gres=gpu,shard:4", "-Ga100"}) == Words{"--gres :1", "--gpus a100:1"});
  CHECK(counts({"--gpus=0", "--gres=shard:4", "--gpus-per-node=a:many"}).empty());
}

TEST_CASE("memory is read in each of its units") {
  CHECK(memory_mb_of("900") == 900);
  CHECK(memory_mb_of("2g") == 2048);
  CHECK(memory_mb_of("1T") == 1024 * 1024);
  CHECK(memory_mb_of("2048K") == 2);
  CHECK(memory_mb_of("300GB") == 300 * 1024);
  CHECK(memory_mb_of("2tb") == 2 * 1024 * 1024);
  for (const char* text :
       {"", "G", "B", "GB", "5B", "5GiB", "-1", "much", "1.5G", "99999999999999T"}) {
    INFO(text);
    CHECK_FALSE(memory_mb_of(text));
  }
}

TEST_CASE("the processors of a task are read from its resources") {
  const auto cpus = [](const char* word) { return cpus_of_tres_per_task({word}); };
  CHECK(cpus("--tres-per-task=cpu:4,gres/gpu:1") == "4");
  CHECK(cpus("--tres-per-task=license/x:1,cpu=3") == "3");
  CHECK(cpus_of_tres_per_task({"--tres-per-task", "cpu:2"}) == "2");
  CHECK_FALSE(cpus("--tres-per-task=gres/gpu:1"));
  CHECK_FALSE(cpus("--tres-per-task=gres/cpu:1,cpus:2,cpu"));
  CHECK_FALSE(cpus("--cpus-per-task=4"));
}

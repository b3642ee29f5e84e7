#include "sdbench/front/telemetry/other_programs.h"

#include <unistd.h>

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

namespace {

constexpr std::int64_t kSelf = 100;

} // namespace

TEST_CASE("processes are read with their parents and all their time") {
  const ScratchFolder root;
  root.write("proc/5/stat", "5 (a b) c) R 1 5 5 0 -1 0 0 0 0 0 100 50 30 20 20 0\n");
  root.write("proc/6/stat", "");
  root.write("proc/uptime", "1 2");
  const ProcessTimes times = read_process_times(root.path());
  REQUIRE(times.size() == 1);
  CHECK(times.at(5).name == "a b) c");
  CHECK(times.at(5).parent == 1);
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  CHECK(times.at(5).seconds == Approx(150.0 / ticks));
  CHECK(times.at(5).ended_s == Approx(50.0 / ticks));
}

TEST_CASE("this process is among all that can be seen") {
  CHECK(read_process_times().contains(::getpid()));
}

TEST_CASE("the heaviest programs are named by what they had of a core, one name counting once") {
  const ProcessTimes before = {{1, {"init", 0, 50}}, {2, {"cc1plus", 1, 10}}, {4, {"idle", 1, 3}}};
  const ProcessTimes after = {{1, {"init", 0, 50}},    {2, {"cc1plus", 1, 18}},
                              {3, {"cc1plus", 1, 10}}, {4, {"idle", 1, 3.4}},
                              {5, {"chrome", 1, 2}},   {6, {"Xorg", 1, 1}},
                              {7, {"tmux", 1, 0.9}}};
  CHECK(heaviest_programs(before, after, 10, kSelf) == "cc1plus 180 %, chrome 20 %, Xorg 10 %");
  CHECK(heaviest_programs(before, before, 10, kSelf).empty());
  CHECK(heaviest_programs({}, {}, 0, kSelf).empty());
}

TEST_CASE("we and what we started are no others") {
  const ProcessTimes after = {{kSelf, {"sdbench", 1, 100}},
                              {101, {"worker", kSelf, 100}},
                              {102, {"helper", 101, 100}},
                              {103, {"other", 1, 100}}};
  CHECK(heaviest_programs({}, after, 100, kSelf) == "other 100 %");
}

TEST_CASE("who waits for a program that ended had its time only since the first look") {
  // A shell inherits ten hours from a program, which had used all but 2 s of them before.
  const ProcessTimes before = {
      {1, {"init", 0, 0}}, {2, {"bash", 1, 1}}, {3, {"python3", 2, 36000}}};
  const ProcessTimes after = {{1, {"init", 0, 0}}, {2, {"bash", 1, 1, 36002}}};
  CHECK(heaviest_programs(before, after, 10, kSelf) == "python3 20 %");
}

TEST_CASE("programs that came and went between two looks are told by who ran them") {
  const ProcessTimes before = {{2, {"ninja", 1, 1, 100}}};
  const ProcessTimes after = {{2, {"ninja", 1, 1.1, 118}}};
  CHECK(heaviest_programs(before, after, 10, kSelf) == "programs of ninja 180 %");
}

TEST_CASE("an id that another process has now starts from nothing") {
  const ProcessTimes before = {{7, {"old", 1, 500}}};
  const ProcessTimes after = {{7, {"new", 1, 4}}};
  CHECK(heaviest_programs(before, after, 10, kSelf) == "new 40 %");
}

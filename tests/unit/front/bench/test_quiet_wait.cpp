#include "sdbench/base/system/steady_clock.h"
#include "sdbench/front/bench/quiet_wait.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "environment.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/types/task_table.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr CoresNeeded kBoth{true, 2};

OthersSeen seen(double foreign_cores) {
  return {OthersShare{.cores = 2, .seconds = 1, .foreign_cores = foreign_cores},
          foreign_cores > 0 ? "cc1plus 180 %" : ""};
}

struct Waited {
  std::vector<std::string> said;
  std::vector<double> watched_s; ///< requested duration of each look
};

/// Waits while others use so many cores at each look; the last number holds from then on.
Waited wait(double limit_s, const std::vector<double>& foreign_cores) {
  Waited waited;
  QuietWait rules{.limit_s = limit_s};
  rules.watch = [&](double seconds, const std::atomic<bool>*) {
    const std::size_t look = std::min(waited.watched_s.size(), foreign_cores.size() - 1);
    waited.watched_s.push_back(seconds);
    return seen(foreign_cores[look]);
  };
  wait_until_quiet(rules, kBoth, [&](const std::string& text) { waited.said.push_back(text); });
  return waited;
}

} // namespace

TEST_CASE("a quiet machine is not waited for, and not spoken of") {
  const Waited waited = wait(60, {0});
  CHECK(waited.watched_s == std::vector<double>{1});
  CHECK(waited.said.empty());
}

TEST_CASE("a busy machine is waited for until others leave it alone, and they are named") {
  const Waited waited = wait(60, {1.8, 1.8, 1.2, 0});
  CHECK(waited.watched_s.size() == 4);
  REQUIRE(waited.said.size() == 1);
  CHECK(waited.said[0] == "at most 60 s for a quiet machine: other programs had 1.8 of 2 cores "
                          "(cc1plus 180 %)");
}

TEST_CASE("the limit ends the wait, and that is said") {
  const Waited waited = wait(0.02, {1.8});
  CHECK(waited.watched_s.back() == 0.25); // a shorter look would tell nothing
  REQUIRE(waited.said.size() == 2);
  CHECK_THAT(waited.said[1], ContainsSubstring("still busy"));
}

TEST_CASE("where others cannot be seen there is no wait") {
  std::vector<std::string> said;
  int looks = 0;
  const QuietWait rules{.limit_s = 60, .watch = [&](double, const std::atomic<bool>*) {
                          ++looks;
                          return OthersSeen{};
                        }};
  wait_until_quiet(rules, kBoth, [&](const std::string& text) { said.push_back(text); });
  CHECK(looks == 1);
  REQUIRE(said.size() == 1);
  CHECK_THAT(said[0], ContainsSubstring("cannot be seen"));
}

TEST_CASE("an interruption ends the wait at once") {
  std::atomic<bool> stop = false;
  int looks = 0;
  const QuietWait rules{
      .limit_s = 60, .stop = &stop, .watch = [&](double, const std::atomic<bool>*) {
        ++looks;
        stop = true;
        return seen(1.8);
      }};
  wait_until_quiet(rules, kBoth, [](const std::string&) {});
  CHECK(looks == 1);
  const double start_s = steady_seconds();
  static_cast<void>(watch_others(60, &stop));
  CHECK(steady_seconds() - start_s < 30);
}

TEST_CASE("this machine tells what others do") {
  const OthersSeen here = watch_others(0.2, nullptr);
  REQUIRE(here.share.has_value());
  CHECK(here.share->cores == static_cast<double>(affinity_cores().size()));
  CHECK(here.share->foreign_cores >= 0);
}

TEST_CASE("a cell needs its threads on the CPU, and a core for each GPU that it feeds") {
  const test::EnvironmentVariable none("OMP_NUM_THREADS", nullptr);
  Cell cell;
  cell.device = "cpu";
  cell.threads = 3;
  CHECK(cores_needed_by(cell, true).cores == 3);
  CHECK(cores_needed_by(cell, true).on_cpu);
  cell.threads = 0;
  CHECK(cores_needed_by(cell, true).cores == usable_core_count());
  {
    const test::EnvironmentVariable one("OMP_NUM_THREADS", "1");
    CHECK(cores_needed_by(cell, true).cores == 1);
  }
  cell.device = "auto";
  CHECK(cores_needed_by(cell, false).on_cpu);
  CHECK_FALSE(cores_needed_by(cell, true).on_cpu);
  CHECK(cores_needed_by(cell, true).cores == 1);
  const Cell gpus = whole_of(cell, {"cuda:0", "cuda:1", "cuda:2"}, kShareEach);
  CHECK(cores_needed_by(gpus, true).cores == 3);
  CHECK_FALSE(cores_needed_by(gpus, true).on_cpu);
  const Cell mixed = whole_of(cell, {"cuda:0", "cpu"}, kShareEach);
  CHECK(cores_needed_by(mixed, true).on_cpu);
  CHECK(cores_needed_by(mixed, true).cores == usable_core_count());
}

#include "sdbench/front/telemetry/processor_use.h"

#include <string>

#include <unistd.h>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/device/host.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

namespace {

const double kTickSeconds = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));

/// A line of /proc/ID/stat with the columns that are read, up to cstime.
std::string process_stat(const std::string& name, int own, int of_ended) {
  return "7 (" + name + ") S 1 7 7 0 -1 4194560 1 2 3 4 " + std::to_string(own) + " 1 " +
         std::to_string(of_ended) + " 2 20 0 1 0 5\n";
}

/// /proc/stat with a core that this test may use, and one that does not exist.
std::string stat_of(const std::string& columns) {
  const std::string core = std::to_string(affinity_cores().front());
  return "cpu  900 0 0 900 0 0 0 0 0 0\ncpu" + core + " " + columns +
         "\ncpu99999 500 0 0 0 0 0 0 0 0 0\nintr 1\n";
}

} // namespace

TEST_CASE("of the cores that may be used: all time, work without what was stolen, and steal") {
  const ScratchFolder root;
  root.write("proc/stat", stat_of("10 1 2 60 5 3 4 15 0 0"));
  const ProcessorUse use = ProcessorSensors(root.path()).read();
  CHECK(use.cores == 1);
  CHECK(use.total_s.value() == Approx(100 * kTickSeconds));
  CHECK(use.busy_s.value() == Approx(20 * kTickSeconds));
  CHECK(use.steal_s.value() == Approx(15 * kTickSeconds));
  CHECK_FALSE(use.own_s.has_value());
  CHECK_FALSE(use.throttled_s.has_value());
  CHECK_FALSE(use.pressure_s.has_value());
}

TEST_CASE("our own work is this process', its children's and that of those it waited for") {
  const ScratchFolder root;
  root.write("proc/self/stat", process_stat("sdbench) (odd", 10, 100));
  root.write("proc/self/task/7/children", "8 ");
  root.write("proc/self/task/9/children", "12 13 ");
  root.write("proc/8/stat", process_stat("worker", 1000, 0));
  root.write("proc/12/stat", process_stat("worker", 2000, 5)); // 13 is gone
  const ProcessorUse use = ProcessorSensors(root.path()).read();
  CHECK(use.own_s.value() == Approx((11 + 102 + 1001 + 2 + 2001 + 7) * kTickSeconds));
  CHECK_FALSE(use.total_s.has_value());
}

TEST_CASE("throttling of our control group and those above it is read from either version") {
  SECTION("version 2, in microseconds") {
    const ScratchFolder root;
    root.write("sys/fs/cgroup/cgroup.controllers", "cpu");
    root.write("proc/self/cgroup", "0::/outer/inner\n");
    root.write("sys/fs/cgroup/outer/inner/cpu.stat", "usage_usec 9\nthrottled_usec 1500000\n");
    root.write("sys/fs/cgroup/outer/cpu.stat", "usage_usec 9\nthrottled_usec 500000\n");
    root.write("sys/fs/cgroup/cpu.stat", "usage_usec 9\n"); // the root has no quota
    CHECK(ProcessorSensors(root.path()).read().throttled_s.value() == Approx(2));
  }
  SECTION("version 1, in nanoseconds") {
    const ScratchFolder root;
    root.write("proc/self/cgroup", "1:cpu:/box\n");
    root.write("sys/fs/cgroup/cpu/box/cpu.stat",
               "nr_periods 3\nnr_throttled 2\nthrottled_time 250000000\n");
    CHECK(ProcessorSensors(root.path()).read().throttled_s.value() == Approx(0.25));
  }
}

TEST_CASE("pressure is the time in which some thread waited") {
  const ScratchFolder root;
  root.write("proc/pressure/cpu", "some avg10=1.00 avg60=0.50 avg300=0.10 total=3500000\n"
                                  "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
  CHECK(ProcessorSensors(root.path()).read().pressure_s.value() == Approx(3.5));
}

TEST_CASE("files of garbage are no figures") {
  const ScratchFolder root;
  root.write("proc/stat", "cpu\ncpux 1 2\ncpu-1 9 9 9\n");
  root.write("proc/self/stat", "7 )(\n");
  root.write("proc/pressure/cpu", "some total=");
  const ProcessorUse use = ProcessorSensors(root.path()).read();
  CHECK_FALSE(use.total_s.has_value());
  CHECK_FALSE(use.own_s.has_value());
  CHECK_FALSE(use.pressure_s.has_value());
}

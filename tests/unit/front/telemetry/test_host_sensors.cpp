#include "sdbench/front/telemetry/host_sensors.h"

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/files/descriptor.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

namespace {

const double kTick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));

constexpr const char* kMeminfo = "MemTotal: 16384 kB\nMemAvailable: 8192 kB\n"
                                 "SwapTotal: 2048 kB\nSwapFree: 1536 kB\n";

/// Looks until the thread of slow sensors has answered, but only so long.
HostReading look_later(HostSensors& sensors,
                       std::chrono::milliseconds patience = std::chrono::seconds(10)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  HostReading reading = sensors.read();
  while (!reading.fan_rpm && !reading.other_temperature_c &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    reading = sensors.read();
  }
  return reading;
}

/// True if neither a fan nor another temperature is there.
bool lacks_slow_sensors(const ScratchFolder& root) {
  HostSensors sensors(root.path());
  const HostReading reading = look_later(sensors, std::chrono::milliseconds(200));
  return !reading.fan_rpm && !reading.other_temperature_c;
}

} // namespace

TEST_CASE("a host without sensors gives empty readings") {
  const ScratchFolder root;
  const HostReading reading = HostSensors(root.path()).read();
  CHECK_FALSE(reading.cpu_busy_s.has_value());
  CHECK(reading.core_load_percent.empty());
  CHECK_FALSE(reading.clock_hz.has_value());
  CHECK_FALSE(reading.temperature_c.has_value());
  CHECK_FALSE(reading.energy_j.has_value());
  CHECK_FALSE(reading.memory_available_bytes.has_value());
  CHECK_FALSE(reading.swap_used_bytes.has_value());
  CHECK_FALSE(reading.swap_traffic_bytes.has_value());
  CHECK_FALSE(reading.worker_rss_bytes.has_value());
}

TEST_CASE("load is what was not idle, of all cores and of each since the last look") {
  const ScratchFolder root;
  root.write("proc/stat", "cpu  100 0 0 300 0 0 0 0 0 0\ncpu0 50 0 0 150 0 0 0 0 0 0\n"
                          "cpu1 50 0 0 150 0 0 0 0 0 0\nintr 1\n");
  HostSensors sensors(root.path());
  const HostReading first = sensors.read();
  CHECK(first.cpu_busy_s.value() == Approx(100 * kTick));
  CHECK(first.cpu_total_s.value() == Approx(400 * kTick));
  CHECK(first.core_load_percent.empty());
  root.write("proc/stat", "cpu  130 1 2 360 4 3 0 0 0 0\ncpu0 80 0 0 220 0 0 0 0 0 0\n"
                          "cpu1 50 0 0 160 90 0 0 0 0 0\nintr 1\n");
  const HostReading second = sensors.read();
  CHECK(second.cpu_busy_s.value() ==
        Approx(136 * kTick)); // idle and waiting for disks are not work
  CHECK(second.cpu_total_s.value() == Approx(500 * kTick));
  CHECK(second.core_load_percent == std::vector<double>{30, 0});
}

TEST_CASE("two looks within one tick say nothing of the cores, and lose nothing") {
  const ScratchFolder root;
  root.write("proc/stat", "cpu  10 0 0 10\ncpu0 10 0 0 10\n");
  HostSensors sensors(root.path());
  static_cast<void>(sensors.read());
  CHECK(sensors.read().core_load_percent.empty());
  root.write("proc/stat", "cpu  11 0 0 13\ncpu0 11 0 0 13\n");
  CHECK(sensors.read().core_load_percent == std::vector<double>{25});
}

TEST_CASE("the clock is the mean of the cores, from cpufreq or else from cpuinfo") {
  const ScratchFolder root;
  root.write("proc/cpuinfo", "processor : 0\ncpu MHz : 1000.5\nprocessor : 1\ncpu MHz : 2000.5\n");
  CHECK(HostSensors(root.path()).read().clock_hz.value() == Approx(1500.5e6));
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000\n");
  root.write("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "4000000\n");
  CHECK(HostSensors(root.path()).read().clock_hz.value() == Approx(3.5e9));
}

TEST_CASE("the temperature is the processor's hottest sensor, not the disk's") {
  const ScratchFolder root;
  root.write("sys/class/thermal/thermal_zone0/type", "acpitz\n");
  root.write("sys/class/thermal/thermal_zone0/temp", "99000\n");
  CHECK_FALSE(HostSensors(root.path()).read().temperature_c.has_value());
  root.write("sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
  root.write("sys/class/thermal/thermal_zone1/temp", "51000\n");
  CHECK(HostSensors(root.path()).read().temperature_c == 51);
  root.write("sys/class/hwmon/hwmon0/name", "nvme\n");
  root.write("sys/class/hwmon/hwmon0/temp1_input", "90000\n");
  root.write("sys/class/hwmon/hwmon1/name", "k10temp\n");
  root.write("sys/class/hwmon/hwmon1/temp1_input", "61500\n");
  root.write("sys/class/hwmon/hwmon1/temp2_input", "58000\n");
  root.write("sys/class/hwmon/hwmon1/temp1_crit", "105000\n");
  CHECK(HostSensors(root.path()).read().temperature_c == 61.5);
}

// As Documentation/hwmon/sysfs-interface.rst: fan[1-*]_input in revolutions per minute,
// temp[1-*]_input in thousandths of a degree, and *_fault, which is 1 if the input has failed.
TEST_CASE("fans and other temperatures are the greatest that can be believed, with their driver") {
  const ScratchFolder root;
  const std::string chips = "sys/class/hwmon/";
  root.write(chips + "hwmon0/name", "nct6798\n");
  root.write(chips + "hwmon0/temp7_input", "117000\n"); // an unconnected input of a Super-I/O chip
  root.write(chips + "hwmon0/fan1_input", "0\n");       // no fan there, or one that stands still
  CHECK(lacks_slow_sensors(root));
  root.write(chips + "hwmon0/fan2_input", "1250\n");
  root.write(chips + "hwmon0/fan3_input", "2000\n");
  root.write(chips + "hwmon0/fan3_fault", "1\n");
  root.write(chips + "hwmon0/fan4_input", "-1\n");
  root.write(chips + "hwmon0/fan5_input", "1350000\n");
  root.write(chips + "hwmon0/fan6_input", "nan\n");
  root.write(chips + "hwmon1/name", "spd5118\n"); // Documentation/hwmon/spd5118.rst
  root.write(chips + "hwmon1/temp1_input", "47250\n");
  root.write(chips + "hwmon1/temp1_max", "55000\n");
  root.write(chips + "hwmon2/name", "nvme\n");
  root.write(chips + "hwmon2/temp1_input", "61850\n");
  root.write(chips + "hwmon2/temp2_input", "255000\n");
  root.write(chips + "hwmon3/name", "jc42\n"); // Documentation/hwmon/jc42.rst
  root.write(chips + "hwmon3/temp1_input", "-273000\n");
  HostSensors sensors(root.path());
  const HostReading reading = look_later(sensors);
  CHECK(reading.fan_rpm == 1250);
  CHECK(reading.other_temperature_c.value() == Approx(61.85));
  CHECK(reading.other_sensor == "nvme");
  root.write(chips + "hwmon0/fan2_input", "9\n");
  CHECK(sensors.read().fan_rpm == 1250); // their buses are slow: once a second is enough
}

// Opening a pipe that nobody writes to never returns, like a bus that hangs.
TEST_CASE("a thermometer that hangs does not stop the other sensors") {
  const ScratchFolder root;
  root.write("proc/meminfo", kMeminfo);
  root.write("sys/class/hwmon/hwmon0/name", "nct6798\n");
  root.write("sys/class/hwmon/hwmon0/fan1_input", "1250\n");
  root.write("sys/class/hwmon/hwmon1/name", "nvme\n");
  const auto input = root.write("sys/class/hwmon/hwmon1/temp1_input", "50000\n");
  auto sensors = std::make_unique<HostSensors>(root.path());
  CHECK(look_later(*sensors).other_temperature_c == 50);
  std::filesystem::remove(input);
  REQUIRE(::mkfifo(input.c_str(), 0600) == 0);
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&start] { return std::chrono::steady_clock::now() - start; };
  while (passed() < std::chrono::milliseconds(2500)) {
    const HostReading reading = sensors->read();
    CHECK(reading.memory_available_bytes == 8192 * 1024);
    CHECK(reading.fan_rpm == 1250); // the latest values
    CHECK(reading.other_temperature_c == 50);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  sensors.reset(); // does not wait for the pipe
  CHECK(passed() < std::chrono::seconds(20));
  const Descriptor writer(::open(input.c_str(), O_WRONLY | O_NONBLOCK)); // lets the thread end
  CHECK(writer.ok());
}

// The pipe stands for a bus that answers long after the sampler looked.
TEST_CASE("a thermometer that answers late is not waited for, and a later look has its value") {
  const ScratchFolder root;
  root.write("sys/class/hwmon/hwmon0/name", "nvme\n");
  const auto input = root.write("sys/class/hwmon/hwmon0/temp1_input", "");
  std::filesystem::remove(input);
  REQUIRE(::mkfifo(input.c_str(), 0600) == 0);
  const auto open_pipe = [&input] { return ::open(input.c_str(), O_WRONLY | O_NONBLOCK); };
  HostSensors sensors(root.path());
  CHECK_FALSE(sensors.read().other_temperature_c.has_value());
  {
    int opened = open_pipe(); // fails until the thread reads
    for (int i = 0; i < 1000 && opened < 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      opened = open_pipe();
    }
    const Descriptor writer(opened);
    REQUIRE(writer.ok());
    CHECK_FALSE(sensors.read().other_temperature_c.has_value());
    REQUIRE(::write(writer.get(), "50000\n", 6) == 6);
  }
  CHECK(look_later(sensors).other_temperature_c == 50);
  const Descriptor writer(open_pipe()); // lets the thread end if it reads again
}

// Documentation/hwmon/dell-smm-hwmon.rst: the BIOS stops all cores for up to half a second.
TEST_CASE("no sensor of a Dell's BIOS is read, and no fan of a GPU is the host's") {
  const ScratchFolder root;
  const std::string chips = "sys/class/hwmon/";
  int number = 0;
  for (const char* const name : {"dell_smm", "amdgpu", "radeon", "nouveau", "i915", "xe"}) {
    const std::string chip = chips + "hwmon" + std::to_string(number++);
    root.write(chip + "/name", std::string(name) + "\n");
    root.write(chip + "/fan1_input", "3000\n");
    root.write(chip + "/temp1_input", "60000\n");
  }
  CHECK(lacks_slow_sensors(root));
}

// As Documentation/ABI/testing/sysfs-devices-system-cpu: thermal_throttle/core_throttle_count and
// thermal_throttle/package_throttle_count of each hyper-thread, and its place in topology/.
TEST_CASE("thermal events are those of each core and each package once, and nothing for a lie") {
  const ScratchFolder root;
  CHECK_FALSE(HostSensors(root.path()).read().thermal_events.has_value());
  const std::string threads = "sys/devices/system/cpu/cpu";
  const auto write_thread = [&](int thread, int package, int core) {
    const std::string folder = threads + std::to_string(thread);
    root.write(folder + "/topology/physical_package_id", std::to_string(package) + "\n");
    root.write(folder + "/topology/core_id", std::to_string(core) + "\n");
    root.write(folder + "/thermal_throttle/core_throttle_count", "3\n");
    root.write(folder + "/thermal_throttle/package_throttle_count", "10\n");
    root.write(folder + "/thermal_throttle/core_throttle_total_time_ms", "500\n");
  };
  for (int thread = 0; thread < 8; ++thread) { // two packages of two cores of two threads
    write_thread(thread, thread / 2 % 2, thread % 2);
  }
  HostSensors sensors(root.path());
  CHECK(sensors.read().thermal_events == 4 * 3 + 2 * 10);
  const std::string sibling = threads + "3/thermal_throttle/core_throttle_count";
  const std::string last = threads + "7/thermal_throttle/core_throttle_count";
  root.write(sibling, "5\n");
  root.write(last, "5\n");
  CHECK(sensors.read().thermal_events == 34);
  std::filesystem::remove(root.path() / sibling); // the thread was switched off, the core was not
  CHECK(sensors.read().thermal_events == 34);
  for (const char* const lie : {"-1\n", "nan\n", "1e300\n", "", "many\n"}) {
    root.write(last, lie);
    CHECK_FALSE(sensors.read().thermal_events.has_value());
  }
  std::filesystem::remove(root.path() / last); // the core was switched off
  CHECK_FALSE(sensors.read().thermal_events.has_value());
}

TEST_CASE("each thread is a core of its own for thermal events where no file tells its place") {
  const ScratchFolder root;
  for (const char* const thread : {"cpu0", "cpu1"}) {
    const std::string folder = std::string("sys/devices/system/cpu/") + thread;
    root.write(folder + "/thermal_throttle/core_throttle_count", "3\n");
    root.write(folder + "/thermal_throttle/package_throttle_count", "10\n");
  }
  CHECK(HostSensors(root.path()).read().thermal_events == 2 * 3 + 10);
}

// As Documentation/power/powercap/powercap.rst. A folder stands for a file that may not be read,
// because root may read every file.
TEST_CASE("an energy counter that exists but may not be read is named") {
  const ScratchFolder root;
  CHECK(HostSensors(root.path()).refused_energy_counter().empty());
  root.write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
  CHECK(HostSensors(root.path()).refused_energy_counter().empty()); // there is none to allow
  const auto counter = root.path() / "sys/class/powercap/intel-rapl:0/energy_uj";
  std::filesystem::create_directories(counter);
  CHECK(HostSensors(root.path()).refused_energy_counter() == counter);
  std::filesystem::remove(counter);
  root.write("sys/class/powercap/intel-rapl:0/energy_uj", "5\n");
  CHECK(HostSensors(root.path()).refused_energy_counter().empty());
}

TEST_CASE("RAPL energy adds up over all packages and over the end of a counter's range") {
  const ScratchFolder root;
  const std::string zones = "sys/class/powercap/";
  for (const char* zone : {"intel-rapl:0", "intel-rapl:1"}) {
    root.write(zones + zone + "/name", std::string("package-") + zone[11] + "\n");
    root.write(zones + zone + "/max_energy_range_uj", "10000000\n");
    root.write(zones + zone + "/energy_uj", "9000000\n");
  }
  root.write(zones + "intel-rapl:0:0/name", "core\n"); // a part of a package
  root.write(zones + "intel-rapl:0:0/energy_uj", "500000\n");
  root.write(zones + "intel-rapl-mmio:0/name", "package-0\n"); // the same package once more
  root.write(zones + "intel-rapl-mmio:0/energy_uj", "9000000\n");
  HostSensors sensors(root.path());
  CHECK(sensors.read().energy_j == 0);
  root.write(zones + "intel-rapl-mmio:0/energy_uj", "9500000\n");
  root.write(zones + "intel-rapl:0/energy_uj", "9500000\n");
  root.write(zones + "intel-rapl:1/energy_uj", "500000\n"); // has wrapped around
  CHECK(sensors.read().energy_j.value() == Approx(0.5 + 1.5));
  std::filesystem::remove(root.path() / (zones + "intel-rapl:1/energy_uj"));
  CHECK_FALSE(sensors.read().energy_j.has_value()); // never a partial sum
}

TEST_CASE("memory and swap come from meminfo") {
  const ScratchFolder root;
  root.write("proc/meminfo", kMeminfo);
  const HostReading reading = HostSensors(root.path()).read();
  CHECK(reading.memory_available_bytes == 8192 * 1024);
  CHECK(reading.swap_used_bytes == 512 * 1024);
  CHECK_FALSE(reading.swap_traffic_bytes.has_value());
}

TEST_CASE("swap traffic is the pages that were moved either way") {
  const ScratchFolder root;
  root.write("proc/vmstat", "pgpgin 9\nxpswpin 8\npswpin 3\npswpout 4\npswpout_more 100\n");
  CHECK(HostSensors(root.path()).read().swap_traffic_bytes == 7 * ::sysconf(_SC_PAGESIZE));
}

TEST_CASE("the worker's resident memory is that of all children, of whichever thread") {
  const ScratchFolder root;
  root.write("proc/self/task/10/children", "100 ");
  root.write("proc/self/task/11/children", "200 300 ");
  root.write("proc/100/statm", "50 20 5 1 0 9 0\n");
  root.write("proc/200/statm", "50 30 5 1 0 9 0\n"); // 300 has just ended
  const HostReading reading = HostSensors(root.path()).read();
  CHECK(reading.worker_rss_bytes == 50 * ::sysconf(_SC_PAGESIZE));
  REQUIRE(reading.workers.size() == 2);
  CHECK(reading.workers[1].process == 200);
  CHECK(reading.workers[1].rss_bytes == 30 * ::sysconf(_SC_PAGESIZE));
}

TEST_CASE("this machine's own sensors are read") {
  HostSensors sensors;
  const HostReading first = sensors.read();
  REQUIRE(first.cpu_busy_s.has_value());
  CHECK(first.memory_available_bytes.value_or(0) > 0);
  HostReading second;
  for (int i = 0; i < 100 && second.core_load_percent.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    second = sensors.read();
  }
  CHECK(second.core_load_percent.size() == std::thread::hardware_concurrency());
  for (const double load : second.core_load_percent) {
    CHECK(load >= 0);
    CHECK(load <= 100);
  }
  CHECK(second.cpu_busy_s >= first.cpu_busy_s);
  CHECK(second.cpu_total_s > first.cpu_total_s);
}

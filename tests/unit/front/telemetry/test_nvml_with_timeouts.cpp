#include "sdbench/front/telemetry/nvml_with_timeouts.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include "catch.h"
#include "environment.h"
#include "fake_driver.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using sdbench::test::EnvironmentVariable;
using sdbench::test::FakeDriver;

namespace {

Nvml stand_in() {
  return Nvml(SDBENCH_FAKE_NVML_LIBRARY);
}

constexpr std::int64_t kGib = std::int64_t{1} << 30;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

TEST_CASE("every GPU's facts are read, in SI units") {
  const FakeDriver driver("");
  const auto gpus = stand_in().facts();
  REQUIRE(gpus.size() == 3);
  const GpuFacts& h100 = gpus[2];
  CHECK(h100.index == 2);
  CHECK(h100.name == "Fake H100");
  CHECK(h100.uuid == "GPU-00000000-0000-0000-0000-0000000000cc");
  CHECK(h100.pci_address == "00000000:ca:00.0");
  CHECK(h100.compute_major == 9);
  CHECK(h100.core_count == 16896);
  CHECK(h100.memory_total_bytes == 80 * kGib);
  CHECK(h100.memory_free_bytes == 79 * kGib);
  CHECK(h100.max_sm_clock_hz == 1.5e9);
  CHECK(h100.max_memory_clock_hz == 5e9);
  CHECK(h100.power_limit_w == 400);
  CHECK(h100.ecc == "on");
  CHECK(h100.mig.empty()); // not supported
  CHECK(h100.pcie_generation == 4);
  CHECK(h100.pcie_width == 16);
  CHECK(h100.display_active == false);
  CHECK(h100.driver_version == "999.11.22");
  CHECK(h100.cuda_driver_version == "13.0");
  CHECK(h100.problem.empty());
  CHECK(gpus[0].ecc == "off");
  CHECK(gpus[1].ecc.empty());
}

// NVML's reference: nvmlPciInfo_t, nvmlBAR1Memory_t, nvmlGpuVirtualizationMode_t, power management.
TEST_CASE("a card's firmware, board, BAR1, power limits and modes are read") {
  const FakeDriver driver("");
  const auto gpus = stand_in().facts();
  const GpuFacts& h100 = gpus.at(2);
  CHECK(h100.vbios_version == "96.00.5E.00.01");
  CHECK(h100.board_id == "1458:4074");
  CHECK(h100.bar1_bytes == kGib / 4);
  CHECK(h100.power_limit_default_w == 400);
  CHECK(h100.power_limit_least_w == 200);
  CHECK(h100.power_limit_greatest_w == 600);
  CHECK(h100.persistence_mode == "on");
  CHECK(h100.virtualisation == "none");
  CHECK(gpus[0].board_id == "10de:12a2");
  CHECK(gpus[0].persistence_mode == "off");
  CHECK(gpus[1].board_id.empty()); // not told
  const FakeDriver part("vgpu");
  CHECK(stand_in().facts()[0].virtualisation == kVgpu);
}

TEST_CASE("facts of a card that cannot be, or that it refuses, are empty") {
  const FakeDriver driver("nonsense old");
  const GpuFacts gpu = stand_in().facts()[0];
  CHECK_FALSE(gpu.bar1_bytes.has_value());
  CHECK_FALSE(gpu.power_limit_default_w.has_value());
  CHECK_FALSE(gpu.power_limit_least_w.has_value()); // above the greatest
  CHECK_FALSE(gpu.power_limit_greatest_w.has_value());
  CHECK(gpu.persistence_mode.empty());
  CHECK(gpu.virtualisation.empty());
  CHECK(gpu.vbios_version == "96.00.5E.00.01");
  CHECK(gpu.problem.empty());
}

TEST_CASE("readings are in SI units, and a sensor that is not there is empty") {
  const FakeDriver driver("");
  const auto readings = stand_in().read();
  REQUIRE(readings.size() == 3);
  CHECK(readings[2].load_percent == 90);
  CHECK(readings[2].memory_used_bytes == kGib);
  CHECK(readings[2].memory_free_bytes == 79 * kGib);
  CHECK(readings[2].pcie_generation == 4);
  CHECK(readings[2].pcie_width == 16);
  CHECK(readings[2].power_w == 200);
  CHECK(readings[2].energy_j == 10);
  CHECK(readings[2].temperature_c == 60);
  CHECK(readings[2].sm_clock_hz == 1.2e9);
  CHECK(readings[2].memory_clock_hz == 5e9);
  CHECK(readings[2].throttle_reasons == 1u); // under the name of an older driver
  CHECK_FALSE(readings[2].fan_percent.has_value());
  CHECK(readings[0].fan_percent == 30);
}

// NVML's reference, event handling: nvmlEventSetWait_v2 with a timeout of 0 does not wait.
TEST_CASE("Xids are counted from the start on, each GPU's own") {
  const FakeDriver driver("xid");
  const Nvml library = stand_in();
  CHECK(library.read()[0].xid_count == 0);
  CHECK_FALSE(library.read()[0].xid_last.has_value());
  const auto readings = library.read();
  CHECK(readings[0].xid_count == 2);
  CHECK(readings[0].xid_last == 79);
  CHECK(readings[1].xid_count == 0);
  CHECK(library.read()[0].xid_count == 2);
  CHECK(library.read()[0].pcie_replays == 5 * 7);
  const FakeDriver endless("many_xids");
  CHECK(stand_in().read()[0].xid_count == 100);
  const FakeDriver without("no_events");
  CHECK_FALSE(stand_in().read()[0].xid_count.has_value());
}

TEST_CASE("a GPU of an old generation lacks the energy counter and nothing else") {
  const FakeDriver driver("old");
  const Nvml library = stand_in();
  CHECK_FALSE(library.read()[0].energy_j.has_value());
  CHECK(library.read()[0].power_w == 50);
  CHECK(library.read()[0].memory_used_bytes == kGib); // by the older function
  CHECK_FALSE(library.facts()[0].core_count.has_value());
  CHECK(library.facts()[0].problem.empty());
}

TEST_CASE("one sensor that fails is an empty field, and the GPU is not lost") {
  const FakeDriver driver("bad_sensor");
  const Nvml library = stand_in();
  const GpuReading reading = library.read()[1];
  CHECK(reading.problem.empty());
  CHECK_FALSE(reading.temperature_c.has_value());
  CHECK(reading.power_w == 100);
  CHECK(reading.sm_clock_hz == 1.2e9);
  CHECK(library.facts()[1].problem.empty());
}

TEST_CASE("a full GPU has no free memory, whether or not the driver's part counts as used") {
  for (const char* words : {"full", "full old"}) {
    const FakeDriver driver(words);
    const GpuReading reading = stand_in().read()[0];
    CHECK(reading.memory_free_bytes == 0);
    CHECK(reading.memory_used_bytes == (words == std::string("full") ? 15 : 16) * kGib);
  }
}

TEST_CASE("a GPU that fails every question is told apart, and the others are read") {
  const FakeDriver driver("fails");
  const Nvml library = stand_in();
  const auto readings = library.read();
  CHECK(readings[1].problem.empty()); // not reported as lost
  CHECK_FALSE(readings[1].power_w.has_value());
  CHECK_FALSE(readings[1].memory_used_bytes.has_value());
  CHECK(readings[0].problem.empty());
  CHECK(readings[2].power_w == 200);
  CHECK(library.facts()[1].problem == "Unknown Error");
  CHECK(library.facts()[1].uuid.empty());
}

TEST_CASE("a GPU that is lost half-way says so from then on") {
  const FakeDriver driver("lost");
  const Nvml library = stand_in();
  CHECK(library.read()[1].problem.empty());
  CHECK(library.read()[1].power_w == 100);
  const GpuReading lost = library.read()[1];
  CHECK(lost.problem == "GPU is lost");
  CHECK_FALSE(lost.temperature_c.has_value());
  CHECK(library.read()[0].problem.empty());
}

TEST_CASE("a GPU without a handle keeps its place") {
  const FakeDriver driver("no_handle");
  const Nvml library = stand_in();
  REQUIRE(library.facts().size() == 3);
  CHECK(library.facts()[1].problem == "GPU is lost");
  CHECK(library.read()[1].problem == "GPU is lost");
  CHECK(library.facts()[2].name == "Fake H100");
  CHECK_FALSE(library.processes(1).has_value());
}

TEST_CASE("a split GPU has its mode, and neither load nor processes") {
  const FakeDriver driver("mig");
  const Nvml library = stand_in();
  CHECK(library.facts()[0].mig == "on");
  CHECK_FALSE(library.read()[0].load_percent.has_value());
  CHECK_FALSE(library.processes(0).has_value());
}

TEST_CASE("the processes on a GPU are listed by new drivers and old ones") {
  for (const char* words : {"busy", "busy old"}) {
    const FakeDriver driver(words);
    const EnvironmentVariable ours("SDBENCH_FAKE_NVML_PROCESS", "77");
    CHECK(stand_in().processes(0)->computing == std::vector<std::int64_t>{77, 1});
    CHECK(stand_in().processes(0)->drawing.empty());
    CHECK(stand_in().processes(2)->computing.empty());
  }
}

TEST_CASE("processes that draw on a GPU are listed apart, and those that compute, too, once") {
  for (const char* words : {"busy draws", "busy draws old"}) {
    const FakeDriver driver(words);
    const EnvironmentVariable ours("SDBENCH_FAKE_NVML_PROCESS", "77");
    CHECK(stand_in().processes(0)->computing == std::vector<std::int64_t>{77, 1});
    CHECK(stand_in().processes(0)->drawing == std::vector<std::int64_t>{3});
  }
}

TEST_CASE("a library that is not there, or has no driver, is a reason and no error of the run") {
  CHECK_THROWS_WITH(Nvml("/nowhere/libnvidia-ml.so.1"), ContainsSubstring("/nowhere"));
  const FakeDriver driver("no_driver");
  std::string problem;
  CHECK(open_nvml(problem) == nullptr);
  CHECK(problem == "nvmlInit_v2() failed: Driver Not Loaded");
  const EnvironmentVariable none("SDBENCH_NVML", "");
  problem.clear();
  CHECK(open_nvml(problem) == nullptr);
  CHECK(problem.empty());
}

TEST_CASE("an NVML that hangs at its start is waited for once, and the reason is told") {
  const FakeDriver driver("hangs");
  // Uses a name of its own, because this program never asks a library again that has hung.
  const std::filesystem::path file(SDBENCH_FAKE_NVML_LIBRARY);
  const std::string library = (file.parent_path() / "." / "." / file.filename()).string();
  CHECK_THROWS_WITH(Nvml(library, {.start_s = 0.1, .answer_s = 0.1}),
                    ContainsSubstring("NVML must start within 0.1 s, but") &&
                        ContainsSubstring("gives no answer"));
  const auto start = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(Nvml(library), Error);
  CHECK(seconds_since(start) < 1);
}

TEST_CASE("a sensor that hangs costs one wait, and is read again once it answers") {
  const FakeDriver driver("stalls"); // at the second look, for half a second
  const Nvml library(SDBENCH_FAKE_NVML_LIBRARY, {.start_s = 30, .answer_s = 0.1});
  CHECK(library.read()[1].power_w == 100);
  CHECK(library.take_problem().empty());
  const auto start = std::chrono::steady_clock::now();
  for (int look = 0; look < 3; ++look) {
    const auto readings = library.read();
    REQUIRE(readings.size() == 3);
    CHECK_FALSE(readings[0].power_w.has_value());
    CHECK(readings[1].problem.empty()); // it may only be slow
    CHECK_FALSE(library.processes(0).has_value());
  }
  CHECK(seconds_since(start) < 0.4);
  CHECK(library.facts().at(2).problem == "NVML gave no answer within 0.1 s");
  CHECK_THAT(library.take_problem(), ContainsSubstring("no answer within 0.1 s"));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  CHECK(library.read()[1].power_w == 100);
  CHECK(library.facts().at(2).name == "Fake H100");
  CHECK(library.take_problem().empty());
}

TEST_CASE("a library of no bytes, and one of another version than the driver, say so") {
  const sdbench::test::ScratchFolder folder;
  folder.write("libnvidia-ml.so.1", "");
  CHECK_THROWS_WITH(Nvml((folder.path() / "libnvidia-ml.so.1").string()),
                    ContainsSubstring("libnvidia-ml.so.1") && ContainsSubstring("too short"));
  const FakeDriver driver("mismatch");
  CHECK_THROWS_WITH(stand_in(), "nvmlInit_v2() failed: Driver/library version mismatch");
}

TEST_CASE("a GPU without memory of its own has none that is known, and is no error") {
  const FakeDriver driver("integrated");
  const Nvml library = stand_in();
  CHECK_FALSE(library.facts()[0].memory_total_bytes.has_value());
  CHECK_FALSE(library.facts()[0].memory_free_bytes.has_value());
  CHECK_FALSE(library.read()[0].memory_used_bytes.has_value());
  CHECK_FALSE(library.read()[0].memory_free_bytes.has_value());
  CHECK(library.facts()[0].problem.empty());
  CHECK(library.read()[0].problem.empty());
}

TEST_CASE("NVML's word for not available is an empty field, never four million watts") {
  const FakeDriver driver("unknown");
  const GpuReading reading = stand_in().read()[0];
  CHECK_FALSE(reading.power_w.has_value());
  CHECK_FALSE(reading.energy_j.has_value());
  CHECK(reading.temperature_c == 60);
}

TEST_CASE("a split GPU has no load, though NVML calls it 0 %, which a whole one may have") {
  const FakeDriver split("mig zero_load");
  CHECK_FALSE(stand_in().read()[0].load_percent.has_value());
  const FakeDriver whole("zero_load");
  CHECK(stand_in().read()[0].load_percent == 0);
}

TEST_CASE("a split GPU's processes have their instances, and a whole one's have none") {
  const EnvironmentVariable ours("SDBENCH_FAKE_NVML_PROCESS", "77");
  const FakeDriver split("instances");
  CHECK(stand_in().processes(0)->instances ==
        std::map<std::int64_t, std::int64_t>{{77, 1}, {1, 2}});
  const FakeDriver whole("busy");
  CHECK(stand_in().processes(0)->instances.empty());
}

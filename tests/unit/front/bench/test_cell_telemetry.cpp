#include "sdbench/base/system/steady_clock.h"
#include "sdbench/front/bench/cell_telemetry.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include "catch.h"
#include "environment.h"
#include "fake_driver.h"
#include "fake_executor.h"
#include "image_sample.h"
#include "scratch_folder.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/bench/cell_to_record.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/sink/telemetry_csv.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using sdbench::test::EnvironmentVariable;
using sdbench::test::FakeDriver;
using sdbench::test::ScratchFolder;

namespace {

constexpr double kNever = 3600; // samples only where a stage begins

/// Samples are one second apart by a made-up clock. The host tells nothing, because its real load
/// would not fit that clock.
TelemetryOptions in_seconds() {
  TelemetryOptions options;
  options.interval_s = kNever;
  options.root = "/nowhere";
  options.clock_s = [now = std::make_shared<std::atomic<int>>()] { return ++*now; };
  return options;
}

/// Samples only where stages begin and end. The host tells nothing, so that other programs of the
/// real one do not set flags.
TelemetryOptions at_stages() {
  return {.interval_s = kNever, .file = {}, .root = "/nowhere"};
}

/// The same on the real host, whose processes have names.
TelemetryOptions at_stages_here() {
  TelemetryOptions options = at_stages();
  options.root = "/";
  return options;
}

/// The flags without "busy", because the real host may be busy.
std::string flags_of_gpu(const RunRecord& record) {
  std::vector<std::string> flags;
  for (const std::string_view flag : split(record.flags, ' ')) {
    flags.emplace_back(flag == "busy" ? "" : flag);
  }
  return joined(flags, " ");
}

Cell tiny_cell() {
  RunConfig config;
  config.model = "tiny-sd15";
  config.weights = "synthetic";
  return resolve_cell(config, true);
}

/// Runs on a GPU that CUDA names by this UUID, at index 0 whatever NVML's is.
CellOutcome outcome_on(const std::string& uuid, const std::string& pci_address, const Cell& cell) {
  CellOutcome outcome = test::good_outcome(cell);
  outcome.result->device.uuid = uuid;
  outcome.result->device.pci_address = pci_address;
  outcome.result->device.sm_count = 132;
  return outcome;
}

constexpr const char* kFirst = "GPU-00000000-0000-0000-0000-0000000000aa";
constexpr const char* kSecond = "GPU-00000000-0000-0000-0000-0000000000bb";
constexpr const char* kThird = "GPU-00000000-0000-0000-0000-0000000000cc";

class Listener : public ExecutorObserver {
public:
  void on_event(const CellEvent& event) override {
    if (const auto* const stage = std::get_if<StageEvent>(&event)) {
      on_stage(stage->stage);
    } else if (const auto* const note = std::get_if<NoteEvent>(&event)) {
      notes += note->text + "\n";
    }
  }
  virtual void on_stage(CellStage stage) {
    stages += std::string(name_of(stage)) + " ";
    if (stage == CellStage::kMeasure) {
      std::this_thread::sleep_for(measuring);
    }
  }
  std::string stages;
  std::string notes;
  std::chrono::milliseconds measuring{0};
};

constexpr std::chrono::milliseconds kOverOneStep{110}; // longer than a counter's step

struct Run {
  RunRecord record;
  Listener heard;
};

Run run_on(const std::string& uuid, Telemetry& telemetry, const std::string& pci_address = "",
           std::chrono::milliseconds measuring = {}) {
  Run run;
  run.heard.measuring = measuring;
  test::FakeExecutor executor(
      [&](const Cell& cell) { return outcome_on(uuid, pci_address, cell); });
  run.record = run_cell(tiny_cell(), executor, run.heard, {}, &telemetry);
  return run;
}

} // namespace

TEST_CASE("the cell's GPU is found by its UUID, wherever it stands in NVML's order") {
  const FakeDriver driver("");
  Telemetry telemetry(at_stages());
  const RunRecord record = run_on(kThird, telemetry).record;
  CHECK(record.power_w_mean == 200);
  CHECK(record.power_limit_w == 400);
  CHECK(record.ecc == "on");
  CHECK(record.cuda_driver_version == "13.0");
  CHECK(record.device_uuid == kThird);
  CHECK(record.device_index == 0); // CUDA's index
  CHECK(record.sm_count == 132);
  CHECK(record.pcie_generation == 4);
  CHECK(run_on(kFirst, telemetry).record.power_w_mean == 50);
  const FakeDriver other_way("reversed");
  Telemetry reversed({.interval_s = kNever, .file = {}});
  CHECK(run_on(kThird, reversed).record.power_w_mean == 200);
  CHECK(run_on(kFirst, reversed).record.power_w_mean == 50);
  CHECK(run_on("MIG-unknown", telemetry, "00000000:65:00.0").record.power_w_mean == 100);
}

TEST_CASE("the cell's GPU is found where NVML counts the other way round") {
  const FakeDriver driver("reversed");
  Telemetry telemetry(at_stages());
  REQUIRE(telemetry.gpus().at(0).uuid == kThird);
  CHECK(run_on(kThird, telemetry).record.power_w_mean == 200);
  CHECK(run_on(kFirst, telemetry).record.power_w_mean == 50);
  CHECK(run_on("", telemetry, "00000000:65:00.0").record.power_w_mean == 100);
}

TEST_CASE("an NVML that hangs costs the sensors' fields, not the row, and the reason is said") {
  const FakeDriver driver("hangs");
  const std::filesystem::path file(SDBENCH_FAKE_NVML_LIBRARY);
  const EnvironmentVariable by_its_own_name("SDBENCH_NVML",
                                            (file.parent_path() / "." / file.filename()).c_str());
  Telemetry telemetry({.interval_s = kNever, .file = {}, .nvml_patience = {0.1, 0.1}});
  const Run run = run_on(kThird, telemetry);
  CHECK(run.record.status == "ok");
  CHECK(run.record.flags.empty());
  CHECK_FALSE(run.record.power_w_mean.has_value());
  CHECK(run.record.telemetry_samples == 1); // of the host
  CHECK_THAT(run.heard.notes, ContainsSubstring("no telemetry of this GPU: NVML must start"));
}

TEST_CASE("an NVML that hangs in between costs those looks, and is said once") {
  const FakeDriver driver("stalls"); // at the second look, for half a second
  Telemetry telemetry({.interval_s = kNever, .file = {}, .nvml_patience = {30, 0.1}});
  const Run run = run_on(kSecond, telemetry);
  CHECK(run.record.status == "ok");
  CHECK(run.record.flags.empty());
  CHECK_FALSE(run.record.power_w_mean.has_value());
  CHECK(run.record.power_limit_w == 200); // the one at the start
  CHECK_THAT(run.heard.notes, ContainsSubstring("sensors of GPUs are missing"));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  const Run later = run_on(kSecond, telemetry);
  CHECK(later.record.power_w_mean == 100);
  CHECK_THAT(later.heard.notes, !ContainsSubstring("NVML"));
}

TEST_CASE("the observer hears what it would hear without telemetry") {
  const FakeDriver driver("");
  Telemetry telemetry(at_stages());
  Listener without;
  test::FakeExecutor executor;
  static_cast<void>(run_cell(tiny_cell(), executor, without, {}));
  CHECK(run_on(kThird, telemetry).heard.stages == without.stages);
}

TEST_CASE("energy is counted from the timed part's first moment to its end") {
  const FakeDriver driver(""); // ten joules more at each look
  Telemetry telemetry(at_stages());
  const RunRecord record = run_on(kThird, telemetry, "", kOverOneStep).record;
  CHECK(record.telemetry_samples == 1);
  CHECK(record.energy_j == 10);
  CHECK(record.energy_source == "counter");
}

TEST_CASE(
    "a counter tells an image's energy without a look between a second's ends, power does not") {
  for (const char* driver_words : {"", "old"}) {
    const FakeDriver driver(driver_words);
    Telemetry telemetry(at_stages());
    Listener heard;
    CellTelemetry watched(telemetry, heard, {"run", "cell"}, {});
    DeviceInfo device;
    device.kind = DeviceKind::kCuda;
    device.uuid = kThird;
    watched.on_event(DeviceEvent{device});
    watched.on_event(StageEvent{CellStage::kMeasure});
    const double start_s = steady_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(1010));
    const double e2e_s = steady_seconds() - start_s;
    watched.on_event(StageEvent{CellStage::kGolden});
    RunRecord record;
    record.status = "ok";
    record.device_kind = "cuda";
    record.repeat = 1;
    record.images = 4;
    record.samples.push_back(test::image_sample(0.01, 0.9, 0.01, e2e_s, {0.9}));
    watched.finish(record);
    CHECK(record.telemetry_samples == 1);
    CHECK(record.energy_j > 0);
    CHECK(record.energy_source == (*driver_words == '\0' ? "counter" : "integrated"));
    CHECK(record.j_per_image.has_value() == (record.energy_source == "counter"));
  }
}

TEST_CASE("no joules are told of a part shorter than what its sensor averages") {
  constexpr double kShorterThanACounterStep = 0.01;
  constexpr double kShorterThanAnAverage = 0.11;
  for (const auto& [words, look_s] :
       {std::pair("", kShorterThanACounterStep), std::pair("old", kShorterThanAnAverage)}) {
    const FakeDriver driver(words);
    TelemetryOptions options = at_stages();
    options.clock_s = [looks = std::make_shared<std::atomic<int>>(), step_s = look_s] {
      return step_s * ++*looks;
    };
    Telemetry telemetry(std::move(options));
    const RunRecord record = run_on(kThird, telemetry).record;
    CHECK(record.power_w_mean == 200);
    CHECK_FALSE(record.energy_j.has_value());
    CHECK(record.energy_source.empty());
  }
}

TEST_CASE("a GPU that throttles is flagged, and said once in a sweep") {
  const FakeDriver driver("throttles");
  Telemetry telemetry(at_stages());
  const Run first = run_on(kFirst, telemetry);
  CHECK(first.record.flags == "power_capped throttled");
  CHECK(first.record.throttle_reasons == "sw_power_cap hw_thermal_slowdown");
  CHECK_THAT(first.heard.notes, ContainsSubstring("slowed itself down"));
  const Run second = run_on(kFirst, telemetry);
  CHECK(second.record.flags == "power_capped throttled");
  CHECK_THAT(second.heard.notes, !ContainsSubstring("slowed itself down"));
}

TEST_CASE("a GPU that nothing slows down says none, and one without the sensor says nothing") {
  const FakeDriver driver("");
  Telemetry telemetry(at_stages());
  CHECK(run_on(kThird, telemetry).record.throttle_reasons == "none");
  const FakeDriver failing("fails");
  Telemetry blind(at_stages());
  CHECK(run_on("", blind, "00000000:65:00.0").record.throttle_reasons.empty());
}

TEST_CASE("steps that grow slower are throttled where the sensors agree, else drift alone") {
  const auto drifting = [](const Cell& cell) {
    CellOutcome outcome = outcome_on(kFirst, "", cell);
    for (RunSample& sample : outcome.result->samples) {
      sample.step_s.clear();
      for (int step = 0; step < 50; ++step) {
        sample.step_s.push_back(0.02 * (1 + 0.002 * step));
      }
    }
    outcome.result->samples.resize(1);
    return outcome;
  };
  for (const auto& [words, flags] :
       {std::pair("", "drift"), std::pair("throttles", "drift power_capped throttled")}) {
    const FakeDriver driver(words);
    Telemetry telemetry(at_stages());
    Listener heard;
    test::FakeExecutor executor(drifting);
    const RunRecord record = run_cell(tiny_cell(), executor, heard, {}, &telemetry);
    CHECK(record.flags == flags);
  }
}

TEST_CASE("a slow PCIe link is written down and warned of") {
  const FakeDriver driver("slow_link");
  Telemetry telemetry(at_stages());
  const Run run = run_on(kFirst, telemetry);
  CHECK(run.record.flags == "slow_link");
  CHECK(run.record.pcie_generation == 4);
  CHECK(run.record.pcie_generation_used == 1);
  CHECK(run.record.pcie_width_used == 8);
  CHECK_THAT(run.heard.notes, ContainsSubstring("generation 1 x8"));
  CHECK(run_on(kThird, telemetry).record.flags.empty());
}

TEST_CASE("a machine that is unplugged between two cells says so from then on") {
  const EnvironmentVariable none("SDBENCH_NVML", "");
  const ScratchFolder root;
  root.write("sys/class/power_supply/AC/type", "Mains\n");
  root.write("sys/class/power_supply/AC/online", "1\n");
  root.write("sys/class/power_supply/BAT0/type", "Battery\n");
  root.write("sys/class/power_supply/BAT0/status", "Discharging\n");
  Telemetry telemetry({.interval_s = kNever, .file = {}, .root = root.path()});
  CHECK(run_on(kFirst, telemetry).record.power_supply == "ac");
  root.write("sys/class/power_supply/AC/online", "0\n");
  const Run unplugged = run_on(kFirst, telemetry);
  CHECK(unplugged.record.power_supply == "battery");
  CHECK(unplugged.record.flags == "battery");
  CHECK_THAT(unplugged.heard.notes, ContainsSubstring("plug it in"));
}

TEST_CASE("a GPU that is lost half-way loses its figures, not the row") {
  const FakeDriver driver("lost");
  Telemetry telemetry(at_stages());
  const Run run = run_on(kSecond, telemetry); // lost at the third look
  CHECK(run.record.status == "ok");
  CHECK(run.record.flags == "gpu_lost");
  CHECK(run.record.telemetry_samples == 1);
  CHECK(run.record.power_limit_w == 200);
  CHECK_FALSE(run.record.power_w_mean.has_value());
  CHECK_FALSE(run.record.energy_j.has_value());
  CHECK_THAT(run.heard.notes, ContainsSubstring("GPU is lost"));
}

TEST_CASE("a GPU that is lost fails its cells, and the other GPU's cells go on") {
  const FakeDriver driver("lost");
  Telemetry telemetry(at_stages());
  const auto run = [&](const std::string& uuid, bool fails) {
    Listener heard;
    test::FakeExecutor executor([&](const Cell& cell) {
      CellOutcome outcome = outcome_on(uuid, "", cell);
      if (fails) {
        outcome.status = Status::kError;
        outcome.message = "CUDA error: unspecified launch failure";
      }
      return outcome;
    });
    return run_cell(tiny_cell(), executor, heard, {}, &telemetry);
  };
  const RunRecord lost = run(kSecond, true);
  CHECK(lost.status == "error");
  CHECK(lost.flags == "gpu_lost");
  const RunRecord again = run(kSecond, true); // it stays lost
  CHECK(again.flags == "gpu_lost");
  const RunRecord other = run(kThird, false);
  CHECK(other.status == "ok");
  CHECK(other.flags.empty());
  CHECK(other.power_w_mean == 200);
}

TEST_CASE("an Xid during a cell flags its row, not the next one's") {
  const FakeDriver driver("xid");
  Telemetry telemetry(at_stages());
  const Run first = run_on(kFirst, telemetry);
  CHECK(first.record.flags == "xid");
  CHECK(first.record.xid_count == 2);
  CHECK(first.record.xid_last == 79);
  CHECK(first.record.pcie_replays == 7);
  CHECK_THAT(first.heard.notes, ContainsSubstring("reported 2 errors (Xid 79)"));
  const Run second = run_on(kFirst, telemetry);
  CHECK(second.record.flags.empty());
  CHECK(second.record.xid_count == 0);
  CHECK_FALSE(second.record.xid_last.has_value());
}

TEST_CASE("other processes are named where they can be seen, and unknown where not") {
  const FakeDriver driver("busy");
  Telemetry telemetry(at_stages_here());
  {
    const EnvironmentVariable ours("SDBENCH_FAKE_NVML_PROCESS", std::to_string(::getpid()).c_str());
    const Run run = run_on(kFirst, telemetry);
    CHECK(flags_of_gpu(run.record) == "foreign_process");
    CHECK_THAT(run.record.gpu_processes, Catch::Matchers::StartsWith("1"));
    CHECK_THAT(run.heard.notes, ContainsSubstring("end it"));
  }
  const EnvironmentVariable not_ours("SDBENCH_FAKE_NVML_PROCESS", "1");
  CHECK(run_on(kFirst, telemetry).record.gpu_processes == "unknown");
  CHECK(flags_of_gpu(run_on(kFirst, telemetry).record).empty());
}

TEST_CASE("a process on another instance of the cell's split GPU is no foreign one") {
  const FakeDriver driver("instances"); // process 1 is on the second
  Telemetry telemetry(at_stages_here());
  const EnvironmentVariable ours("SDBENCH_FAKE_NVML_PROCESS", std::to_string(::getpid()).c_str());
  const Run run = run_on("GPU-of-the-instance", telemetry, "00000000:17:00.0");
  CHECK(flags_of_gpu(run.record) == "split_gpu");
  CHECK(run.record.gpu_processes == "none");
}

TEST_CASE("processes that only draw on the cell's GPU are no foreign ones") {
  const FakeDriver driver("busy draws"); // process 1 computes and draws
  Telemetry telemetry(at_stages_here());
  const EnvironmentVariable ours("SDBENCH_FAKE_NVML_PROCESS", std::to_string(::getpid()).c_str());
  const Run run = run_on(kFirst, telemetry);
  CHECK(flags_of_gpu(run.record) == "display_attached foreign_process");
  CHECK_THAT(run.record.gpu_processes, Catch::Matchers::EndsWith(" draws"));
  CHECK_THAT(run.heard.notes, ContainsSubstring("another process computes on this GPU: 1"));
}

TEST_CASE("the row of an instance of a split GPU says whose energy it has") {
  const FakeDriver driver("mig");
  Telemetry telemetry(at_stages());
  const Run run = run_on("GPU-of-the-instance", telemetry, "00000000:17:00.0", kOverOneStep);
  CHECK(run.record.mig == "on");
  CHECK(run.record.device_uuid == "MIG-of-the-instance");       // as CUDA_VISIBLE_DEVICES takes it
  CHECK_THAT(run.record.flags, ContainsSubstring("split_gpu")); // this host may also be busy
  CHECK(run.record.energy_j == 10);
  CHECK_FALSE(run.record.gpu_load_percent_mean.has_value());
  CHECK(run_on(kFirst, telemetry).record.device_uuid == kFirst);
  CHECK_THAT(run.heard.notes, ContainsSubstring("of the whole card"));
  CHECK(run_on(kThird, telemetry).record.flags.empty());
}

TEST_CASE("the row of a vGPU says whose power it has, and has no energy for a sum") {
  const FakeDriver driver("vgpu");
  Telemetry telemetry(at_stages());
  const Run run = run_on(kFirst, telemetry);
  CHECK(run.record.gpu_virtualisation == "vgpu");
  CHECK(run.record.flags == "split_gpu");
  CHECK_FALSE(run.record.parallel_energy_j.has_value());
  CHECK_THAT(run.heard.notes, ContainsSubstring("(vGPU): the sensors' values"));
  CHECK(run_on(kThird, telemetry).record.flags.empty());
}

TEST_CASE("a row has the facts of its card, from NVML and from the system's files") {
  const FakeDriver driver("");
  const ScratchFolder root;
  root.write("proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64");
  root.write("usr/share/misc/pci.ids", "1458  Gigabyte Technology Co., Ltd\n");
  TelemetryOptions options = at_stages();
  options.root = root.path();
  Telemetry telemetry(std::move(options));
  const RunRecord record = run_on(kThird, telemetry).record;
  CHECK(record.vbios_version == "96.00.5E.00.01");
  CHECK(record.board_id == "1458:4074");
  CHECK(record.board_vendor == "Gigabyte Technology Co., Ltd");
  CHECK(record.bar1_bytes == 268435456);
  CHECK(record.power_limit_w_default == 400);
  CHECK(record.power_limit_w_least == 200);
  CHECK(record.power_limit_w_greatest == 600);
  CHECK(record.kernel_module == "open");
  CHECK(record.persistence_mode == "on");
  CHECK(record.gpu_virtualisation == "none");
  CHECK(record.external_link.empty());
}

TEST_CASE("instances of one GPU that work together have no energy that a sum would count twice") {
  const FakeDriver driver("mig");
  Telemetry telemetry(at_stages());
  for (const auto& [pci_address, is_told] :
       {std::pair("00000000:17:00.0", false), std::pair("00000000:ca:00.0", true)}) {
    Listener heard;
    heard.measuring = kOverOneStep;
    CellTelemetry watched(telemetry, heard, {"part", "cell"}, TelemetryTag{"sum", ""});
    DeviceInfo device;
    device.kind = DeviceKind::kCuda;
    device.pci_address = pci_address;
    watched.on_event(DeviceEvent{device});
    watched.on_event(StageEvent{CellStage::kMeasure});
    RunRecord record;
    record.status = "ok";
    record.device_kind = "cuda";
    watched.finish(record);
    CHECK(record.energy_j == 10);
    CHECK(record.parallel_energy_j.has_value() == is_told);
  }
}

TEST_CASE("who else is on the GPU is asked before the timed runs and after them, never within") {
  using Count = int (*)();
  void* const library = ::dlopen(SDBENCH_FAKE_NVML_LIBRARY, RTLD_NOW);
  const auto count = reinterpret_cast<Count>(::dlsym(library, "sdbench_fake_process_lists"));
  REQUIRE(count != nullptr);
  const FakeDriver driver("busy");
  Telemetry telemetry(at_stages());
  ExecutorObserver nobody;
  CellTelemetry watched(telemetry, nobody, {"run", "cell"}, {});
  DeviceInfo device;
  device.kind = DeviceKind::kCuda;
  device.uuid = kFirst;
  watched.on_event(DeviceEvent{device});
  watched.on_event(StageEvent{CellStage::kFirstImage});
  const int before = count();
  CHECK(before > 0);
  watched.on_event(StageEvent{CellStage::kWait});
  watched.on_event(StageEvent{CellStage::kMeasure});
  CHECK(count() == before);
  RunRecord record;
  record.status = "ok";
  record.device_kind = "cuda";
  watched.finish(record);
  CHECK(count() > before);
  ::dlclose(library);
}

TEST_CASE("a display on the GPU is warned of before the cell runs") {
  const FakeDriver driver("display");
  Telemetry telemetry(at_stages());
  const Run run = run_on(kSecond, telemetry);
  CHECK(run.record.flags == "display_attached");
  CHECK_THAT(run.heard.notes, ContainsSubstring("a display is attached"));
}

TEST_CASE("in WSL2 a cell on a full GPU is flagged, although the host's memory does not grow") {
  const FakeDriver driver("full");
  const ScratchFolder root;
  root.write("proc/meminfo", "MemTotal: 16384 kB\nMemAvailable: 8192 kB\n");
  TelemetryOptions options = at_stages();
  options.root = root.path();
  Telemetry on_linux(options);
  CHECK_FALSE(has_flag(run_on(kFirst, on_linux).record, "spilling"));
  root.write("proc/sys/kernel/osrelease", "5.15.153.1-Microsoft-standard-WSL2\n");
  Telemetry in_wsl(options);
  const Run run = run_on(kFirst, in_wsl);
  CHECK(has_flag(run.record, "spilling"));
  CHECK_THAT(run.heard.notes, ContainsSubstring("in WSL2 the driver may move data"));
}

TEST_CASE("without NVML a GPU's telemetry is empty, and the reason is said") {
  const FakeDriver driver("no_driver");
  Telemetry telemetry(at_stages());
  const Run run = run_on(kFirst, telemetry);
  CHECK(run.record.status == "ok");
  CHECK_FALSE(run.record.power_w_mean.has_value());
  CHECK(run.record.gpu_processes.empty());
  CHECK(run.record.device_uuid == kFirst);
  CHECK_THAT(run.heard.notes, ContainsSubstring("Driver Not Loaded"));
}

TEST_CASE("the idle power is measured before the first cell") {
  const FakeDriver driver("");
  Telemetry telemetry({.interval_s = 0.1, .file = {}});
  telemetry.measure_idle();
  CHECK(run_on(kThird, telemetry).record.power_w_idle == 200);
}

TEST_CASE("a machine without a GPU does not wait for an idle baseline") {
  const EnvironmentVariable none("SDBENCH_NVML", "");
  Telemetry telemetry({.interval_s = 0.1, .file = {}});
  const auto start = std::chrono::steady_clock::now();
  telemetry.measure_idle();
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500));
}

TEST_CASE("with no interval there are facts and no samples") {
  const FakeDriver driver("");
  Telemetry telemetry({.interval_s = 0, .file = {}});
  telemetry.measure_idle();
  const RunRecord record = run_on(kThird, telemetry).record;
  CHECK(record.power_limit_w == 400);
  CHECK_FALSE(record.telemetry_samples.has_value());
  CHECK_FALSE(record.power_w_idle.has_value());
}

TEST_CASE("the file has every device at every stage, with the record's ids") {
  const FakeDriver driver("");
  const ScratchFolder folder;
  const auto file = folder.path() / "t.csv";
  RunRecord record;
  {
    Telemetry telemetry({.interval_s = kNever, .file = file});
    record = run_on(kThird, telemetry).record;
  }
  const auto rows = parse_csv(read_text_file(file));
  std::string phases;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto& row = rows[i]; // time_s, time_utc, run_id, cell_id, phase, device, …
    if (row[2] == record.run_id && row[5] == "gpu2") {
      CHECK(row[3] == record.cell_id);
      phases += row[4] + " ";
    }
  }
  CHECK_THAT(phases, Catch::Matchers::StartsWith("start load first_image measure "));
  CHECK((rows.size() - 1) % 4 == 0); // three GPUs and the host
}

TEST_CASE("a file that cannot be written is refused before anything runs") {
  const FakeDriver driver("");
  CHECK_THROWS_AS(Telemetry({.interval_s = kNever, .file = "/no/such/folder/t.csv"}), Error);
}

TEST_CASE(
    "two programs share a file of samples, a cut line is moved away, a lost folder made again") {
  const FakeDriver driver("");
  const ScratchFolder folder;
  const auto file = folder.path() / "deep" / "t.csv";
  folder.write("deep/t.csv", telemetry_csv_header() + "1,\"cut o");
  Telemetry telemetry({.interval_s = kNever, .file = file});
  Telemetry other({.interval_s = kNever, .file = file});
  const Run first = run_on(kThird, telemetry);
  const Run second = run_on(kThird, other);
  CHECK_THAT(first.heard.notes, ContainsSubstring("was cut off"));
  CHECK(read_text_file(file.string() + ".cut") == "1,\"cut o\n");
  const std::string content = read_text_file(file);
  for (const auto& row : parse_csv(content)) {
    CHECK(row.size() == parse_csv(telemetry_csv_header()).at(0).size());
  }
  CHECK_THAT(content, ContainsSubstring(first.record.run_id));
  CHECK_THAT(content, ContainsSubstring(second.record.run_id));
  std::filesystem::remove_all(folder.path() / "deep");
  const Run third = run_on(kThird, telemetry);
  CHECK_THAT(third.heard.notes, ContainsSubstring("made again, with what comes from now on"));
  CHECK(read_text_file(file).starts_with(telemetry_csv_header()));
}

TEST_CASE("a file that is full is given up and said, and the cell goes on") {
  const FakeDriver driver("");
  const ScratchFolder folder;
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto on_too_large = std::signal(SIGXFSZ, SIG_IGN);
  Telemetry telemetry({.interval_s = kNever, .file = folder.path() / "t.csv"});
  // The file already has the first sample, from before any cell.
  const rlimit small{std::filesystem::file_size(folder.path() / "t.csv") + 100, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Run run = run_on(kThird, telemetry);
  const Run next = run_on(kThird, telemetry);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  static_cast<void>(std::signal(SIGXFSZ, on_too_large));
  CHECK(run.record.status == "ok");
  CHECK_THAT(run.heard.notes, ContainsSubstring("no more samples are written"));
  CHECK_THAT(next.heard.notes, !ContainsSubstring("no more samples"));
  CHECK(read_text_file(folder.path() / "t.csv").ends_with("\n"));
}

TEST_CASE("cells at the same time have their own phases and GPUs, and share the host") {
  const FakeDriver driver(""); // ten joules more at each look
  const ScratchFolder folder;
  const auto file = folder.path() / "t.csv";
  {
    TelemetryOptions options = in_seconds();
    options.file = file;
    Telemetry telemetry(options);
    ExecutorObserver nobody;
    const TelemetryTag shared{"sum", ""};
    CellTelemetry first(telemetry, nobody, {"first", "cell"}, shared);
    CellTelemetry second(telemetry, nobody, {"second", "cell"}, shared);
    const auto device = [](const char* uuid) {
      DeviceInfo info;
      info.kind = DeviceKind::kCuda;
      info.uuid = uuid;
      return info;
    };
    first.on_event(DeviceEvent{device(kFirst)});
    second.on_event(DeviceEvent{device(kThird)});
    first.on_event(StageEvent{CellStage::kMeasure});
    second.on_event(StageEvent{CellStage::kLoad});
    second.on_event(StageEvent{CellStage::kMeasure});
    std::this_thread::sleep_for(kOverOneStep);
    RunRecord record;
    record.status = "ok";
    record.device_kind = "cuda";
    first.finish(record);
    CHECK(record.telemetry_samples == 3); // one at its own stage, two at the other cell's
    CHECK(record.energy_j == 30);
    CHECK(record.power_w_mean == 50);
    RunRecord other;
    other.status = "ok";
    other.device_kind = "cuda";
    second.finish(other);
    CHECK(other.telemetry_samples == 2);
    CHECK(other.energy_j == 20);
    CHECK(other.power_w_mean == 200);
  }
  std::string tags; // of the sample at which the second cell began to measure
  const auto rows = parse_csv(read_text_file(file));
  for (const auto& row : rows) {
    if (row[0] == rows.at(1 + 4 * 5)[0]) {
      tags += row[5] + "=" + row[2] + "/" + row[4] + " ";
    }
  }
  CHECK(tags == "gpu0=first/measure gpu1=sum/measure gpu2=second/measure host=sum/measure ");
}

TEST_CASE("a front that stood still until after the runs tells no energy") {
  const FakeDriver driver(""); // ten joules more at each look
  Telemetry telemetry(at_stages());
  for (const bool stands_still : {false, true}) {
    Listener heard;
    CellTelemetry watched(telemetry, heard, {"run", "cell"}, {});
    DeviceInfo device;
    device.kind = DeviceKind::kCuda;
    device.uuid = kThird;
    watched.on_event(DeviceEvent{device});
    watched.on_event(StageEvent{CellStage::kMeasure});
    std::this_thread::sleep_for(stands_still ? std::chrono::milliseconds(1200) : kOverOneStep);
    RunRecord record;
    record.status = "ok";
    record.device_kind = "cuda";
    record.samples.push_back(test::image_sample(0.01, 0.05, 0.01, 0.1, {0.05}));
    watched.finish(record);
    CHECK(record.energy_j.has_value() != stands_still);
    CHECK(record.energy_source == (stands_still ? "" : "counter"));
    CHECK((record.flags.find("held_up") != std::string::npos) == stands_still);
    CHECK((heard.notes.find("no energy is reported") != std::string::npos) == stands_still);
  }
}

TEST_CASE("a cell within which the machine was suspended is flagged, and tells no energy") {
  const FakeDriver driver("");
  double suspended_s = 100; // before the cell
  TelemetryOptions options = in_seconds();
  options.suspended_s = [&] { return suspended_s; };
  Telemetry telemetry(options);
  for (const double meanwhile : {0.0, 3600.0}) {
    Listener heard;
    CellTelemetry watched(telemetry, heard, {"run", "cell"}, {});
    DeviceInfo device;
    device.kind = DeviceKind::kCuda;
    device.uuid = kThird;
    watched.on_event(DeviceEvent{device});
    watched.on_event(StageEvent{CellStage::kMeasure});
    suspended_s += meanwhile;
    RunRecord record;
    record.status = "ok";
    record.device_kind = "cuda";
    watched.finish(record);
    CHECK((record.flags == "suspended") == (meanwhile > 0));
    CHECK(record.energy_j.has_value() == (meanwhile == 0));
    CHECK((heard.notes.find("suspended for 3600 s") != std::string::npos) == (meanwhile > 0));
  }
}

namespace {

/// A host with two cores. We have used 1 s of the first; a test says what others have used.
class FakeHost {
public:
  explicit FakeHost(const ScratchFolder& root) : root_(root) { others_have_had(0); }
  /// Sets the ticks that others have used, and an eighth of them as idle.
  void others_have_had(int ticks) {
    const std::vector<int> cores = affinity_cores();
    const std::string columns = " " + std::to_string(100 + ticks) + " 0 0 " +
                                std::to_string(900 + ticks / 8) + " 0 0 0 0\n";
    root_.write("proc/stat", "cpu " + columns + "cpu" + std::to_string(cores.front()) + columns);
    root_.write("proc/self/stat", process(1, "sdbench", 100));
    root_.write("proc/77/stat", process(77, "cc1plus", ticks));
  }

private:
  static std::string process(int id, const std::string& name, int ticks) {
    return std::to_string(id) + " (" + name + ") R 1 1 1 0 -1 0 0 0 0 0 " + std::to_string(ticks) +
           " 0 0 0 20 0\n";
  }
  const ScratchFolder& root_;
};

/// Other programs use the host from a stage on.
class BusyFrom final : public Listener {
public:
  BusyFrom(FakeHost& host, std::optional<CellStage> stage) : host_(host), stage_(stage) {}
  void on_stage(CellStage stage) override {
    Listener::on_stage(stage);
    if (stage == stage_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      host_.others_have_had(80);
    }
  }

private:
  FakeHost& host_;
  std::optional<CellStage> stage_;
};

CellOutcome on_cpu(const Cell& cell) {
  CellOutcome outcome = test::good_outcome(cell);
  outcome.result->device = {};
  outcome.result->device.kind = DeviceKind::kCpu;
  outcome.result->threads = 1;
  return outcome;
}

struct HostRun {
  RunRecord record;
  std::string notes;
};

HostRun run_on_host(std::optional<CellStage> busy_stage) {
  const EnvironmentVariable no_gpus("SDBENCH_NVML", "");
  const ScratchFolder root;
  FakeHost host(root);
  BusyFrom heard(host, busy_stage);
  Telemetry telemetry({.interval_s = kNever, .file = {}, .root = root.path()});
  test::FakeExecutor executor(on_cpu);
  RunRecord record = run_cell(tiny_cell(), executor, heard, {}, &telemetry);
  return {std::move(record), heard.notes};
}

} // namespace

TEST_CASE("a cell beside other programs is flagged, and they are named in its row and in a note") {
  const HostRun run = run_on_host(CellStage::kMeasure);
  CHECK(run.record.flags == "busy");
  CHECK(run.record.foreign_cpu_percent_mean.value() == Approx(100 * 80.0 / 90));
  CHECK(run.record.foreign_cpu_percent_max.value() == Approx(100 * 80.0 / 90));
  CHECK(run.record.steal_percent == 0);
  CHECK_THAT(run.record.busy_programs, Catch::Matchers::StartsWith("cc1plus "));
  CHECK_THAT(run.notes, ContainsSubstring("the machine is busy: other programs had 0.89 of 1 core "
                                          "(cc1plus "));
  CHECK_THAT(run.notes, ContainsSubstring("--wait-quiet"));
}

TEST_CASE("others that are busy while a cell loads are told before its timed runs, and flag none") {
  const HostRun run = run_on_host(CellStage::kLoad);
  CHECK(run.record.flags.empty());
  CHECK(run.record.busy_programs.empty());
  CHECK_FALSE(run.record.foreign_cpu_percent_mean.has_value()); // no tick within the timed part
  CHECK_THAT(run.notes, ContainsSubstring("the machine is busy"));
}

TEST_CASE("a quiet host is told as one") {
  const HostRun run = run_on_host(std::nullopt);
  CHECK(run.record.flags.empty());
  CHECK(run.notes.find("busy") == std::string::npos);
}

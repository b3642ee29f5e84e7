#include "catch.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include "environment.h"
#include "fake_driver.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/environment_settings.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/worker_process.h"

using namespace sdbench;

namespace {

/// Keeps all events; may set the stop flag at the first sample.
struct Ears final : ExecutorObserver {
  std::vector<std::string> stages;
  std::vector<std::string> notes;
  int steps = 0;
  int samples = 0;
  std::atomic<bool>* stop_at_sample = nullptr;

  void on_event(const CellEvent& event) override {
    if (const auto* const stage = std::get_if<StageEvent>(&event)) {
      stages.emplace_back(name_of(stage->stage));
    } else if (const auto* const note = std::get_if<NoteEvent>(&event)) {
      notes.push_back(note->text);
    } else if (std::holds_alternative<StepEvent>(event)) {
      ++steps;
    } else if (const auto* const sample = std::get_if<SampleEvent>(&event)) {
      ++samples;
      if (!sample->first_image && stop_at_sample != nullptr) {
        *stop_at_sample = true;
      }
    }
  }
};

/// An executor over the stub worker, which misbehaves as told.
struct Stub {
  explicit Stub(const char* how, double timeout_s = 20) : options(make_options(timeout_s)) {
    ::setenv("SDBENCH_STUB", how, 1);
    for (const char* const name : kOpenMpVariables) {
      ::unsetenv(name); // a note would name each variable that is set
    }
  }
  static WorkerOptions make_options(double timeout_s) {
    WorkerOptions options;
    options.program.path = SDBENCH_STUB_WORKER;
    options.timeout_s = timeout_s;
    return options;
  }
  CellOutcome run() {
    WorkerExecutor executor(options);
    return executor.run(Cell{}, ears);
  }
  WorkerOptions options;
  Ears ears;
};

bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

TEST_CASE("a well-behaved worker's events and outcome arrive, and it serves the next cell too") {
  Stub stub("");
  WorkerExecutor executor(stub.options);
  const CellOutcome first = executor.run(Cell{}, stub.ears);
  CHECK(first.status == Status::kOk);
  REQUIRE(first.result.has_value());
  CHECK(first.result->runtime_version == "0.0");
  CHECK(stub.ears.stages == std::vector<std::string>{"start", "load", "measure"});
  CHECK(stub.ears.steps == 1);
  CHECK(stub.ears.samples == 2);

  const CellOutcome second = executor.run(Cell{}, stub.ears);
  CHECK(second.status == Status::kOk);
  REQUIRE(stub.ears.notes.size() == 2);
  CHECK(stub.ears.notes[0].substr(9) == stub.ears.notes[1].substr(9)); // the same process
  CHECK(stub.ears.notes[1].substr(0, 9) == "request 1");
}

TEST_CASE("a worker is replaced after a cell that did not end well") {
  Stub stub("fails");
  WorkerExecutor executor(stub.options);
  const CellOutcome first = executor.run(Cell{}, stub.ears);
  CHECK(first.status == Status::kOomDevice);
  CHECK(first.message == "too little memory");
  static_cast<void>(executor.run(Cell{}, stub.ears));
  REQUIRE(stub.ears.notes.size() == 2);
  CHECK(stub.ears.notes[1].substr(0, 9) == "request 0");
}

TEST_CASE("the device is known of a cell that ended while loading") {
  const CellOutcome outcome = Stub("refuses").run();
  CHECK(outcome.status == Status::kOomHost);
  CHECK_FALSE(outcome.result.has_value());
  REQUIRE(outcome.device.has_value());
  CHECK(outcome.device->name == "Stub processor");
}

TEST_CASE("a worker that is killed is a crash that names the signal and keeps its samples") {
  const CellOutcome outcome = Stub("sigkill").run();
  CHECK(outcome.status == Status::kCrash);
  CHECK(outcome.stage == CellStage::kMeasure);
  CHECK(has_text(outcome.message, "SIGKILL"));
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->first_image.e2e_s == 7);
  REQUIRE(outcome.result->samples.size() == 1);
  CHECK(outcome.result->samples[0].e2e_s == 6);
}

TEST_CASE("a segmentation fault and an abort are crashes with the worker's last words") {
  CHECK(has_text(Stub("segfault").run().message, "SIGSEGV"));
  const CellOutcome outcome = Stub("abort").run();
  CHECK(outcome.status == Status::kCrash);
  CHECK(has_text(outcome.message, "SIGABRT"));
  CHECK(has_text(outcome.message, "terminate called: boom"));
}

TEST_CASE("a worker that hangs is killed after the timeout") {
  CellOutcome outcome;
  const double took = seconds([&] { outcome = Stub("hang", 0.3).run(); });
  CHECK(outcome.status == Status::kTimeout);
  CHECK(has_text(outcome.message, "0.3 s"));
  CHECK(has_text(outcome.message, "measure"));
  CHECK(outcome.result->samples.size() == 1);
  CHECK(took < 5);
}

TEST_CASE("a worker that never says a word runs into the timeout, too") {
  const CellOutcome outcome = Stub("silent", 0.3).run();
  CHECK(outcome.status == Status::kTimeout);
  CHECK(outcome.stage == CellStage::kStart);
}

TEST_CASE("a worker that ends without an answer is an error with its exit code") {
  const CellOutcome quiet = Stub("exit0").run();
  CHECK(quiet.status == Status::kError);
  CHECK(has_text(quiet.message, "exit code 0"));
  const CellOutcome loud = Stub("exit3").run();
  CHECK(loud.status == Status::kCrash);
  CHECK(has_text(loud.message, "exit code 3"));
  CHECK(has_text(loud.message, "the reason"));
}

TEST_CASE("nonsense on the pipe is an error that shows it") {
  const CellOutcome outcome = Stub("garbage").run();
  CHECK(outcome.status == Status::kError);
  CHECK(has_text(outcome.message, "this is no JSON"));
  CHECK(Stub("no_hello").run().status == Status::kError);
}

TEST_CASE("a line without end is cut off at a bound") {
  const CellOutcome outcome = Stub("endless").run();
  CHECK(outcome.status == Status::kError);
  CHECK(has_text(outcome.message, "a line must be at most"));
}

TEST_CASE("a worker of another protocol version is refused") {
  const CellOutcome outcome = Stub("other_version").run();
  CHECK(outcome.status == Status::kError);
  CHECK(has_text(outcome.message, "version 99"));
}

TEST_CASE("a worker that cannot load libtorch is an error with the loader's line") {
  const CellOutcome outcome = Stub("loader").run();
  CHECK(outcome.status == Status::kError);
  CHECK(outcome.stage == CellStage::kStart);
  CHECK(has_text(outcome.message, "libtorch_cpu.so"));
}

TEST_CASE("a worker program that is not there is an error") {
  Stub stub("");
  stub.options.program.path = "/nowhere/sdbench-worker";
  const CellOutcome outcome = stub.run();
  CHECK(outcome.status == Status::kError);
  CHECK(has_text(outcome.message, "/nowhere/sdbench-worker"));
}

TEST_CASE("a worker that writes more to stdout and stderr than a pipe holds does not block") {
  const CellOutcome outcome = Stub("noisy").run();
  CHECK(outcome.status == Status::kCrash);
  CHECK(has_text(outcome.message, "SIGSEGV"));
  CHECK(outcome.stderr_tail.size() <= 4096);
  CHECK(has_text(outcome.stderr_tail, "19999"));
}

TEST_CASE("a worker that closes its pipes and lives on is given up and ended") {
  CellOutcome outcome;
  const double took = seconds([&] { outcome = Stub("closes_pipes").run(); });
  CHECK(outcome.status == Status::kError);
  CHECK(took < 15);
}

TEST_CASE("a stop ends the running cell as interrupted, with the samples so far") {
  for (const char* how : {"hang", "deaf"}) {
    std::atomic<bool> stop{false};
    Stub stub(how);
    stub.options.stop = &stop;
    stub.ears.stop_at_sample = &stop;
    CellOutcome outcome;
    const double took = seconds([&] { outcome = stub.run(); });
    CHECK(outcome.status == Status::kInterrupted);
    REQUIRE(outcome.result.has_value());
    CHECK(outcome.result->samples.size() == 1);
    CHECK(took < 8);
  }
}

TEST_CASE("what fails while all is told to end is interrupted, and so measured again") {
  std::atomic<bool> stop{false};
  Stub stub("garbage");
  stub.options.stop = &stop;
  stub.ears.stop_at_sample = &stop; // just before the garbage
  CHECK(stub.run().status == Status::kInterrupted);
}

TEST_CASE("a worker that another program tells to end is a crash, and no interruption of the run") {
  std::atomic<bool> stop{false};
  Stub stub("told_to_end");
  stub.options.stop = &stop;
  const CellOutcome outcome = stub.run();
  CHECK(outcome.status == Status::kCrash);
  CHECK(outcome.stage == CellStage::kMeasure);
  CHECK(has_text(outcome.message, "SIGTERM"));
  REQUIRE(outcome.result.has_value());
  CHECK(outcome.result->samples.size() == 1);

  stub.ears.stop_at_sample = &stop; // the same signal reached both
  CHECK(stub.run().status == Status::kInterrupted);
}

TEST_CASE("no worker is left behind when its executor goes") {
  Stub stub("");
  pid_t worker = 0;
  {
    WorkerExecutor executor(stub.options);
    static_cast<void>(executor.run(Cell{}, stub.ears));
    worker = std::stoi(stub.ears.notes.at(0).substr(std::string("request 0 of ").size()));
    CHECK(::kill(worker, 0) == 0);
  }
  CHECK(::kill(worker, 0) != 0);
}

TEST_CASE("when memory runs out, the kernel takes the worker before us") {
  Stub stub("");
  WorkerExecutor executor(stub.options);
  static_cast<void>(executor.run(Cell{}, stub.ears));
  const std::string worker = stub.ears.notes.at(0).substr(std::string("request 0 of ").size());
  const auto score = [](const std::string& process) {
    return std::stoi(read_text_file("/proc/" + process + "/oom_score_adj"));
  };
  CHECK(score(worker) > score("self"));
}

TEST_CASE("the last words of a cell are not those of the one before it") {
  Stub stub("talks");
  WorkerExecutor executor(stub.options);
  static_cast<void>(executor.run(Cell{}, stub.ears));
  ::kill(std::stoi(stub.ears.notes.at(0).substr(std::string("request 0 of ").size())), SIGKILL);
  CHECK(executor.run(Cell{}, stub.ears).stderr_tail.empty());
}

TEST_CASE("a stop that came before a cell starts no worker for it") {
  std::atomic<bool> stop{true};
  Stub stub("");
  stub.options.stop = &stop;
  CHECK(stub.run().status == Status::kInterrupted);
  CHECK(stub.ears.stages.empty());
}

TEST_CASE("a request larger than a pipe reaches the worker") {
  Stub stub("");
  WorkerExecutor executor(stub.options);
  Cell cell;
  cell.prompts = {std::string(1 << 20, 'x')};
  CHECK(executor.run(cell, stub.ears).status == Status::kOk);
}

TEST_CASE("a worker says which devices are there, and one that cannot is an error") {
  Stub stub("");
  WorkerExecutor executor(stub.options);
  const std::vector<DeviceInfo> devices = executor.devices();
  REQUIRE(devices.size() == 1);
  CHECK(devices[0].name == "Stub processor");

  Stub broken("loader");
  WorkerExecutor silent(broken.options);
  CHECK_THROWS_AS(silent.devices(), Error);
}

TEST_CASE("a driver's version that the worker cannot read is NVML's, else the CUDA that it takes") {
  Stub stub("");
  Cell cell;
  cell.device = "cuda:0";
  const auto version_told = [&] {
    WorkerExecutor executor(stub.options);
    const CellOutcome outcome = executor.run(cell, stub.ears);
    REQUIRE(outcome.result.has_value());
    CHECK(outcome.result->device.driver_version == outcome.device.value().driver_version);
    return outcome.device.value().driver_version;
  };
  {
    const test::FakeDriver driver("");
    CHECK(version_told() == "999.11.22");
  }
  const test::EnvironmentVariable no_nvml("SDBENCH_NVML", "");
  CHECK(version_told() == "CUDA 13.0");
}

TEST_CASE("a GPU that CUDA cannot use is told beside a cell that runs on the CPU, and flagged") {
  const test::EnvironmentVariable no_nvml("SDBENCH_NVML", "");
  const test::EnvironmentVariable reason("SDBENCH_STUB_OBSTACLE", "the driver is old; update it");
  Stub stub("");
  WorkerExecutor executor(stub.options);
  const CellOutcome outcome = executor.run(Cell{}, stub.ears);
  CHECK(outcome.status == Status::kOk);
  CHECK(std::ranges::count(stub.ears.notes,
                           "an NVIDIA driver is here, but CUDA cannot use it, so this runs on the "
                           "CPU: the driver is old; update it") == 1);
  CHECK(outcome.result.value().flags == std::vector<std::string>{"gpu_unusable"});
}

TEST_CASE("after a restart the next cell runs in another process") {
  Stub stub("");
  WorkerExecutor executor(stub.options);
  static_cast<void>(executor.run(Cell{}, stub.ears));
  executor.restart();
  static_cast<void>(executor.run(Cell{}, stub.ears));
  REQUIRE(stub.ears.notes.size() == 2);
  CHECK(stub.ears.notes[0].substr(9) != stub.ears.notes[1].substr(9));
  CHECK(stub.ears.notes[1].substr(0, 9) == "request 0");
}

TEST_CASE("a worker sees its own device alone, and another device has another worker") {
  const std::vector<int> cores = usable_cores();
  Stub stub("seat");
  const test::EnvironmentVariable visible("CUDA_VISIBLE_DEVICES", "5,7");
  WorkerExecutor executor(stub.options);
  const auto note_of = [&](const std::string& device, std::optional<CpuShare> share = {}) {
    Cell cell;
    cell.device = device;
    cell.cpu_share = share;
    stub.ears.notes.clear();
    const CellOutcome outcome = executor.run(cell, stub.ears);
    CHECK(outcome.status == Status::kOk);
    if (device.starts_with("cuda")) {
      CHECK(outcome.device->kind == DeviceKind::kCuda);
      CHECK(outcome.device->index == 1); // in the user's numbering
      CHECK(outcome.result->device.index == 1);
    }
    return stub.ears.notes.at(0);
  };
  CHECK(has_text(note_of("cuda:1"), "CUDA_VISIBLE_DEVICES=7,"));
  CHECK(has_text(note_of("auto"), "CUDA_VISIBLE_DEVICES=5,"));
  CHECK(has_text(note_of("cpu"), "CUDA_VISIBLE_DEVICES=,"));
  CHECK(has_text(stub.ears.notes.at(1), "request 0")); // a fresh worker
  static_cast<void>(note_of("cpu"));
  CHECK(has_text(stub.ears.notes.at(1), "request 1"));
  if (cores.size() == 2) {
    CHECK(note_of("cpu:1", CpuShare{1, 2}).ends_with("cores " + std::to_string(cores[1])));
    CHECK(note_of("cpu:0", CpuShare{0, 2}).ends_with("cores " + std::to_string(cores[0])));
  }
}

TEST_CASE("a cell that runs together with others waits for the observer around each run") {
  struct Gate final : ExecutorObserver {
    std::vector<std::int64_t> ready;
    int samples_before_ready = 0;
    int samples = 0;
    void on_event(const CellEvent& event) override {
      if (const auto* const one = std::get_if<ReadyEvent>(&event)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        samples_before_ready = ready.empty() ? samples : samples_before_ready;
        ready.push_back(one->run);
      } else if (const auto* const sample = std::get_if<SampleEvent>(&event)) {
        samples += sample->first_image ? 0 : 1;
      }
    }
  } gate;
  Stub stub("");
  WorkerExecutor executor(stub.options);
  Cell cell;
  CHECK(executor.run(cell, gate).status == Status::kOk);
  CHECK(gate.ready.empty());
  cell.device = "cpu:0";
  cell.parallel_devices = {"cpu:0", "cpu:1"};
  cell.repeat = 2;
  CHECK(executor.run(cell, gate).status == Status::kOk);
  CHECK(gate.ready == std::vector<std::int64_t>{0, 1, 2});
  CHECK(gate.samples == 3);
  CHECK(gate.samples_before_ready == 1); // from the cell before
}

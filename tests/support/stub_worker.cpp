// A worker without libtorch that answers at once and misbehaves as SDBENCH_STUB says: what the
// front is tested against. "HOW" does so in every cell, "HOW@N" in cells of N steps, "HOW@cpu:1" in
// cells on that device, "HOW@cpu:1+" in those that it runs together with others. SDBENCH_STUB_GPUS:
// how many GPUs there are. SDBENCH_STUB_OBSTACLE: why CUDA cannot use the driver that is here.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <unistd.h>

#include "image_sample.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/status.h"

using namespace sdbench;
using namespace sdbench::messages;

namespace {

void write_all(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::write(4, bytes.data() + sent, bytes.size() - sent);
    if (count <= 0) {
      std::exit(9);
    }
    sent += static_cast<std::size_t>(count);
  }
}

void say(const Event& event) {
  write_all(encode(event) + "\n");
}

std::optional<std::string> read_request() {
  static std::string buffer;
  for (;;) {
    if (const std::size_t newline = buffer.find('\n'); newline != std::string::npos) {
      std::string line = buffer.substr(0, newline);
      buffer.erase(0, newline + 1);
      return line;
    }
    char bytes[1 << 16];
    const ssize_t count = ::read(3, bytes, sizeof bytes);
    if (count <= 0) {
      return std::nullopt;
    }
    buffer.append(bytes, static_cast<std::size_t>(count));
  }
}

/// The request that is being answered.
Json g_cell;

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// As in a worker that sees what CUDA_VISIBLE_DEVICES leaves of the GPUs.
DeviceInfo device() {
  DeviceInfo device;
  device.kind = DeviceKind::kCpu;
  device.name = "Stub processor";
  if (g_cell.is_object() && g_cell.at("device_in_worker").get<std::string>().starts_with("cuda")) {
    device.kind = DeviceKind::kCuda;
    device.name = "Stub GPU";
    device.uuid = std::string("GPU-") + variable("CUDA_VISIBLE_DEVICES");
    device.cuda_driver_version = "13.0";
  } else {
    device.cuda_obstacle = variable("SDBENCH_STUB_OBSTACLE");
    device.cuda_driver_is_here = !device.cuda_obstacle.empty();
  }
  return device;
}

/// "seat: CUDA_VISIBLE_DEVICES=1, cores 0-3"
void say_seat() {
  std::string cores;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Cpus_allowed_list:")) {
      cores = line.substr(line.find('\t') + 1);
    }
  }
  say(NoteEvent{std::string("seat: CUDA_VISIBLE_DEVICES=") + variable("CUDA_VISIBLE_DEVICES") +
                ", cores " + cores});
}

[[noreturn]] void hang() {
  for (;;) {
    ::pause();
  }
}

CellResult small_result() {
  CellResult result;
  result.device = device();
  // Rows of another engine, or of another revision of it, are not resumed.
  result.engine = g_cell.is_object() ? g_cell.at("engine").get<std::string>() : "tuned";
  result.engine_revision = engine_revision(result.engine);
  result.runtime_version = "0.0";
  result.dtype_unet = result.dtype_vae = result.dtype_text = Dtype::kF32;
  result.threads = 0;
  result.vae_tiles = 1;
  result.unet_calls = 0;
  for (std::string EngineUse::*axis :
       {&EngineUse::packed_weights, &EngineUse::kv_cache, &EngineUse::time_cache,
        &EngineUse::shared_prefix, &EngineUse::graphs, &EngineUse::tf32}) {
    result.use.*axis = "off";
  }
  result.output_check = "pass";
  return result;
}

/// What may happen after the model is loaded and one run is timed.
const std::map<std::string, std::function<void()>> kFaults = {
    {"sigkill", [] { ::raise(SIGKILL); }},
    {"segfault", [] { ::raise(SIGSEGV); }},
    {"abort",
     [] {
       std::cerr << "terminate called: boom\n";
       std::abort();
     }},
    {"hang", hang},
    {"deaf", hang}, // and will not be asked nicely: see answer
    {"hang_golden",
     [] {
       say(StageEvent{CellStage::kGolden});
       hang();
     }},
    {"exit0", [] { ::_exit(0); }},
    {"exit3",
     [] {
       std::cerr << "first line\nthe reason\n\n";
       ::_exit(3);
     }},
    {"talks", [] { std::cerr << "all is well\n"; }},
    {"escapes",
     [] {
       std::cerr << "\x1b[2Jred\n";
       ::_exit(3);
     }},
    {"garbage", [] { write_all("this is no JSON\n"); }},
    {"half_line",
     [] {
       write_all(encode(NoteEvent{"never"}).substr(0, 10));
       ::_exit(0);
     }},
    {"nested", [] { write_all(std::string(10 << 20, '[') + "\n"); }},
    {"endless", // until nobody reads any more
     [] {
       for (;;) {
         write_all(std::string(1 << 20, 'x'));
       }
     }},
    {"noisy", // more on stdout and stderr than any pipe holds
     [] {
       for (int i = 0; i < 20000; ++i) {
         std::cerr << "warning number " << i << '\n';
         std::cout << "stray output " << i << '\n';
       }
       std::cout.flush();
       ::raise(SIGSEGV);
     }},
    {"closes_pipes",
     [] {
       ::close(1);
       ::close(2);
       ::close(4);
       hang();
     }},
    {"allocates", // until the system refuses: the test sets a limit
     [] {
       std::vector<std::unique_ptr<std::string>> hoard;
       for (;;) {
         hoard.push_back(std::make_unique<std::string>(64 << 20, 'x'));
       }
     }},
};

/// How a cell may end in a worker that does answer.
CellOutcome outcome_of(const std::string& how) {
  CellOutcome outcome{Status::kOk, std::nullopt, "", small_result(), ""};
  if (how == "fails") {
    outcome = {Status::kOomDevice, CellStage::kMeasure, "too little memory", small_result(), ""};
  } else if (how == "nan") {
    outcome = {Status::kInvalidOutput, CellStage::kMeasure, "pixels must be finite, but are NaN",
               small_result(), ""};
    outcome.result->output_check = "nan";
    std::cerr << "a warning of the math library\n";
  } else if (how == "told_to_end") { // as the real one answers SIGTERM
    outcome = {Status::kInterrupted, CellStage::kMeasure, "interrupted", small_result(), ""};
  }
  outcome.result->first_image = test::image_sample(1, 2, 3, 7);
  return outcome;
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Where the cells of a parallel execution wait for each other.
void wait_for_go(std::int64_t run) {
  say(ReadyEvent{run});
  const std::optional<std::string> line = read_request();
  if (!line || !std::holds_alternative<GoRequest>(decode_request(*line))) {
    std::cerr << "told no go\n";
    ::_exit(4);
  }
}

/// One run; beside other devices as many as the cell asks for.
std::vector<RunSample> make_runs(const std::string& how, bool together) {
  const auto runs = together ? g_cell.at("repeat").get<std::int64_t>() : 1;
  std::vector<RunSample> samples;
  for (std::int64_t run = 0; run < runs; ++run) {
    if (how == "dies_in_second_run" && run == 1) {
      ::raise(SIGKILL);
    }
    const std::int64_t steps = how == "steps" ? g_cell.at("steps").get<std::int64_t>() : 1;
    for (std::int64_t step = 0; step < steps; ++step) {
      ::usleep(how == "steps" ? 20'000 : 0); // long enough for a bar to be seen
      say(StepEvent{run, step, steps, 0.5});
    }
    samples.push_back(test::image_sample(1, 2, 3, 6, {2}, steady_seconds()));
    say(SampleEvent{false, samples.back()});
    if (kFaults.contains(how)) {
      break;
    }
    if (together) {
      wait_for_go(run + 1);
    }
  }
  return samples;
}

void answer(const std::string& how, std::int64_t request) {
  if (how == "deaf") {
    ::signal(SIGTERM, SIG_IGN); // before anybody is told that it hangs
  }
  say(StageEvent{CellStage::kLoad});
  if (how == "hang_load") {
    hang();
  }
  say(DeviceEvent{small_result().device});
  if (how == "refuses") {
    say(OutcomeEvent{
        CellOutcome{Status::kOomHost, CellStage::kLoad, "too little memory", std::nullopt, ""}});
    return;
  }
  say(LoadedEvent{small_result()});
  say(SampleEvent{true, test::image_sample(1, 2, 3, 7)});
  if (how == "seat") {
    say_seat();
  }
  if (how == "slow") { // the others wait
    ::usleep(500'000);
  }
  const bool together = !g_cell.at("parallel_devices").empty();
  if (how == "dies_before_go") {
    ::raise(SIGKILL);
  }
  if (together) {
    say(StageEvent{CellStage::kWait});
    wait_for_go(0);
  }
  say(StageEvent{CellStage::kMeasure});
  const std::vector<RunSample> samples = make_runs(how, together);
  say(NoteEvent{"request " + std::to_string(request) + " of " + std::to_string(::getpid())});
  if (const auto fault = kFaults.find(how); fault != kFaults.end()) {
    fault->second();
  }
  CellOutcome outcome = outcome_of(how);
  outcome.result->samples = samples;
  say(OutcomeEvent{outcome});
}

} // namespace

int main() {
  const char* const wish = std::getenv("SDBENCH_STUB");
  std::string how = wish == nullptr ? "" : wish;
  const std::size_t at = how.find('@');
  const std::string where = at == std::string::npos ? "" : how.substr(at + 1);
  how = how.substr(0, at);
  if (how == "loader") {
    std::cerr << "sdbench-worker: error while loading shared libraries: libtorch_cpu.so: cannot "
                 "open shared object file: No such file or directory\n";
    return 127;
  }
  if (how == "silent") {
    ::pause();
  }
  if (how == "no_hello") {
    say(StageEvent{CellStage::kLoad});
  }
  say(Hello{how == "other_version" ? 99 : kVersion, "0.0"});
  for (std::int64_t request = 0; const std::optional<std::string> line = read_request();
       ++request) {
    const Json asked = Json::parse(*line);
    if (asked.at("type") == "devices") {
      for (int gpu = 0; gpu < std::atoi(variable("SDBENCH_STUB_GPUS")); ++gpu) {
        DeviceInfo info;
        info.kind = DeviceKind::kCuda;
        info.name = "Stub GPU";
        info.index = gpu;
        say(DeviceEvent{info});
      }
      g_cell = {};
      say(DeviceEvent{small_result().device});
      say(OutcomeEvent{CellOutcome{Status::kOk, std::nullopt, "", std::nullopt, ""}});
      continue;
    }
    if (asked.at("type") == "probe" && how != "crash") {
      say(DeviceEvent{small_result().device});
      say(ProbeEvent{"copy", 12.34});
      say(ProbeEvent{"product_fp32", 0.5});
      say(NoteEvent{"memory, triad could not be measured: too little memory"});
      say(OutcomeEvent{CellOutcome{Status::kOk, std::nullopt, "", std::nullopt, ""}});
      continue;
    }
    g_cell = asked.at("cell");
    const auto device = g_cell.at("device").get<std::string>();
    const bool together = !g_cell.at("parallel_devices").empty();
    const bool meant = where.empty() || device == where || (together && device + "+" == where) ||
                       std::to_string(g_cell.at("steps").get<std::int64_t>()) == where;
    answer(meant ? how : "", request);
  }
}

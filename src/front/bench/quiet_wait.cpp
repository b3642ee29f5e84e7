#include "sdbench/front/bench/quiet_wait.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include <unistd.h>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/front/bench/openmp_environment.h"
#include "sdbench/front/telemetry/other_programs.h"
#include "sdbench/front/telemetry/processor_use.h"

namespace sdbench {
namespace {

bool is_set(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load();
}

} // namespace

void rest(double seconds, const std::atomic<bool>* stop) {
  constexpr double kSlice = 0.05; // longest delay until the flag is seen
  const double end_s = steady_seconds() + seconds;
  for (double left = seconds; left > 0 && !is_set(stop); left = end_s - steady_seconds()) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kSlice)));
  }
}

OthersSeen watch_others(double seconds, const std::atomic<bool>* stop) {
  const ProcessorSensors sensors;
  const ProcessTimes processes = read_process_times();
  const ProcessorUse before = sensors.read();
  const double start_s = steady_seconds();
  rest(seconds, stop);
  const double passed_s = steady_seconds() - start_s;
  return {others_share(before, sensors.read(), passed_s),
          heaviest_programs(processes, read_process_times(), passed_s, ::getpid())};
}

CoresNeeded cores_needed_by(const Cell& cell, bool machine_has_gpu) {
  const auto is_on_cpu = [&](const std::string& device) {
    return is_cpu(kind_asked(device)) || (device == kAutoDevice && !machine_has_gpu);
  };
  if (is_whole(cell)) { // each GPU of a team has a thread that launches
    const bool on_cpu = std::ranges::any_of(cell.parallel_devices, is_on_cpu);
    return {on_cpu, static_cast<double>(on_cpu ? usable_core_count()
                                               : static_cast<int>(cell.parallel_devices.size()))};
  }
  const bool on_cpu = is_on_cpu(cell.device);
  const std::int64_t threads =
      cell.threads > 0 ? cell.threads : default_threads(usable_core_count());
  return {on_cpu, on_cpu ? static_cast<double>(threads) : 1};
}

void wait_until_quiet(const QuietWait& wait, const CoresNeeded& needed,
                      const std::function<void(const std::string&)>& say) {
  constexpr double kLookSeconds = 1;
  constexpr double kShortestLook =
      0.25; // the last look is no shorter, because the kernel's clock ticks every 10 ms
  const double end_s = steady_seconds() + wait.limit_s;
  bool said = false;
  for (double left = wait.limit_s; left > 0 && !is_set(wait.stop);
       left = end_s - steady_seconds()) {
    const OthersSeen seen = wait.watch(std::clamp(left, kShortestLook, kLookSeconds), wait.stop);
    if (!seen.share) {
      say("not at all: what other programs do cannot be seen here");
      return;
    }
    if (!is_busy(*seen.share, needed)) {
      return;
    }
    if (!said) {
      said = true;
      say("at most " + number_text(wait.limit_s) +
          " s for a quiet machine: " + busy_words(*seen.share, seen.programs));
    }
  }
  if (said && !is_set(wait.stop)) {
    say("ended: the machine is still busy; the cell starts now");
  }
}

} // namespace sdbench

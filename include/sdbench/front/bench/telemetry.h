#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/system/steady_clock.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/sink/append_file.h"
#include "sdbench/front/sink/telemetry_csv.h"
#include "sdbench/front/telemetry/busy.h"
#include "sdbench/front/telemetry/nvml_with_timeouts.h"
#include "sdbench/front/telemetry/other_programs.h"
#include "sdbench/front/telemetry/sensor_sampler.h"
#include "sdbench/front/telemetry/summary.h"
#include "sdbench/front/telemetry/suspended.h"
#include "sdbench/front/telemetry/warnings.h"

namespace sdbench {

struct TelemetryOptions {
  double interval_s = 0.1;          ///< time between samples; 0: no samples, only fixed facts
  std::filesystem::path file;       ///< CSV file to which samples are appended; empty: no file
  std::filesystem::path root = "/"; ///< folder of proc/ and sys/; replaced in tests
  NvmlPatience nvml_patience = {};
  std::function<double()> suspended_s = suspended_seconds; ///< replaced in tests
  std::function<double()> clock_s = steady_seconds;        ///< replaced in tests
};

/// The sensors of one `sdbench run`: all GPUs and the host, sampled by a thread from the first cell
/// to the last. Several cells may run at the same time and use this object, each from its own
/// thread.
class Telemetry {
public:
  /// Opens the sensors and the file. Throws Error if the file cannot be appended to, but not if a
  /// sensor is missing.
  explicit Telemetry(TelemetryOptions options);
  Telemetry(const Telemetry&) = delete;
  Telemetry& operator=(const Telemetry&) = delete;

  /// Samples the idle machine for a second before the first cell, for the records' idle power. Does
  /// nothing if there is neither a GPU nor a file, so that a quick run on a CPU does not wait.
  void measure_idle();
  /// Mean power of a GPU, in watts, during measure_idle(). nullopt if it is unknown.
  [[nodiscard]] std::optional<double> idle_power_w(std::size_t gpu) const;

  /// The machine's state when the latest cell began. The state may differ between cells, for
  /// example if a laptop is unplugged.
  [[nodiscard]] MachineState machine() const;
  /// All GPUs of the machine, in NVML's order.
  [[nodiscard]] const std::vector<GpuFacts>& gpus() const { return gpus_; }
  /// Why gpus() has no GPU or lacks facts; empty if nothing is wrong.
  [[nodiscard]] const std::string& nvml_problem() const { return nvml_problem_; }
  [[nodiscard]] GpuProcesses processes(std::size_t gpu) const;

  /// Seconds for which the machine has been suspended since it booted.
  [[nodiscard]] double suspended_s() const { return options_.suspended_s(); }
  /// CPU time of all processes; empty if options.interval_s is 0. Do not call this during a timed
  /// run.
  [[nodiscard]] ProcessTimes process_times() const;

  /// Identifies a cell that runs now.
  using CellKey = std::uint64_t;
  /// From now on, samples belong to the record with this tag, at first in stage kStart. Also reads
  /// the machine's state. `shared`: the tag of the sum row of a parallel execution. While the cells
  /// of the execution run, the host's samples belong to that row.
  [[nodiscard]] CellKey begin_cell(TelemetryTag tag, std::optional<TelemetryTag> shared = {});
  /// Declares that the cell computes on this GPU. The GPU's samples belong to the cell from now on.
  void set_gpu(CellKey cell, std::size_t gpu);
  void enter(CellKey cell, CellStage stage);
  /// Share of the cores that other programs used from the cell's start until its latest sample.
  [[nodiscard]] std::optional<OthersShare> others_so_far(CellKey cell);
  /// Ends the cell. Returns its samples; a sample's `phase` is the stage in which it was taken.
  [[nodiscard]] std::vector<TelemetrySample> end_cell(CellKey cell);

  /// True only at the first call for a flag, so that a sweep prints each warning once.
  [[nodiscard]] bool is_news(const std::string& flag);
  /// Problems with the sensors or the file since the last call, as texts.
  [[nodiscard]] std::vector<std::string> take_notes();

private:
  /// A cell that runs now.
  struct ActiveCell {
    TelemetryTag tag;
    std::optional<TelemetryTag> shared;
    std::optional<std::size_t> gpu;
    double start_s = 0;
    std::vector<PhaseMark> marks;
  };
  void enter_phase(CellKey cell, std::string_view phase);
  /// Calls `change` under the lock, between two samples, and returns the time of the next sample,
  /// which is taken at once. File and record thus put each sample in the same cell and phase.
  double change_between_samples(const std::function<void()>& change);
  void write(const TelemetrySample& sample);
  [[nodiscard]] TelemetryTags tags_locked() const;

  TelemetryOptions options_;
  std::string nvml_problem_;
  std::unique_ptr<Nvml> nvml_;
  std::vector<GpuFacts>
      gpus_; ///< as they were at the start, so that a GPU that is lost later keeps its name
  std::vector<std::optional<double>> idle_power_w_;
  HostSensors host_;
  double start_s_ = options_.clock_s();
  mutable std::mutex
      mutex_; ///< guards the members below, which the sampler's and the cells' threads use
  MachineState machine_;
  std::set<std::string> said_;
  std::map<CellKey, ActiveCell> active_;
  CellKey last_key_ = 0;
  std::optional<AppendFile> file_;
  std::vector<std::string> notes_;
  std::unique_ptr<SensorSampler> sampler_; ///< last member, because its thread uses the others
};

} // namespace sdbench

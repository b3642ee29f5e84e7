#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/core/cell_stage.h"
#include "sdbench/base/core/precision.h"
#include "sdbench/base/core/status.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/executor/measured.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// What a stop left of a run: the steps that were finished by then.
struct PartialRun {
  std::string stage; ///< name of CellStage::kFirstImage or kMeasure, or what an old row says
  std::vector<double> step_s;
};

/// What a worker measured. Plain data, no statistics yet. What it does not tell stays as it is
/// here, and is empty in the row.
struct CellResult : Measured {
  DeviceInfo device;
  std::string runtime_version; ///< of libtorch, where the engine is ours
  std::string engine;          ///< "plain", "tuned"
  std::int64_t engine_revision = 1;
  std::optional<Precision> dtype_unet;
  std::optional<Precision> dtype_vae;
  std::optional<Precision> dtype_text;
  EngineUse use;                       ///< what became of the engine's axes
  std::optional<std::int64_t> threads; ///< inside an operator
  std::string weights_identity;        ///< "synthetic:0", or the checkpoint's identity
  std::optional<double> expected_s;    ///< the answer to an estimate, and nothing else
  double load_s = 0;     ///< from the request to weights on the device; 0: they stood there already
  double prepare_s = 0;  ///< no part of load_s: weights packed, kernels compiled, models exported
  RunSample first_image; ///< the cell's first run: cold if it was loaded for it
  std::vector<RunSample> samples;        ///< the timed runs
  std::optional<PartialRun> partial_run; ///< never one of `samples`
  std::int64_t warmup = 0;
  std::vector<std::string> flags;
  std::vector<std::string> image_files;
};

/// How a cell ended, with what there is of a result (a partial one if it was interrupted).
struct CellOutcome {
  Status status = Status::kError;
  std::optional<CellStage> stage; ///< where it ended, if not ok
  std::string message;            ///< one line, empty if ok
  std::optional<CellResult> result;
  std::string stderr_tail; ///< last lines of the worker's stderr, if it failed
  /// As DeviceEvent told it: known before there is a result. Never travels in a message.
  std::optional<DeviceInfo> device = std::nullopt;
};

/// A stage begins, and the one before has ended.
struct StageEvent {
  CellStage stage = CellStage::kStart;
};
struct DeviceEvent {
  DeviceInfo device;
};
/// The model stands on its device; dtypes are decided and recorded in `so_far`.
struct LoadedEvent {
  CellResult so_far;
};
/// A scheduler step has really finished. Some quick steps are left out, but never a run's last.
struct StepEvent {
  std::int64_t run = 0;   ///< of the present stage, from 0
  std::int64_t step = 0;  ///< from 0 through all batches of the run
  std::int64_t steps = 0; ///< of the run
  double seconds = 0;     ///< of this step alone
};
/// A whole run has ended: the first image (cold), or a timed one. Sent at once, so that a worker
/// that dies later leaves its samples.
struct SampleEvent {
  bool first_image = false;
  RunSample sample;
};
/// All is ready for timed run `run`, which begins when the observer returns: cells that run
/// together wait here for each other. Comes once more after the last run, and never while the clock
/// runs.
struct ReadyEvent {
  std::int64_t run = 0;
};
/// Something the user should read (a fallback, a warning).
struct NoteEvent {
  std::string text;
};
/// What a long stage is busy with ("exporting the UNet to ONNX"), said again every few seconds.
struct DoingEvent {
  std::string text;
};
/// Which process runs the cell. Comes before the worker's first event, and not where the cell runs
/// in this process.
struct WorkerEvent {
  std::int64_t process = 0;
};
/// A line that the worker wrote to its stderr, as it came.
struct WorkerWordsEvent {
  std::string line;
};
/// What happens while a cell runs. The last two are the front's own: no worker sends them.
using CellEvent = std::variant<StageEvent, DeviceEvent, LoadedEvent, StepEvent, SampleEvent,
                               ReadyEvent, NoteEvent, DoingEvent, WorkerEvent, WorkerWordsEvent>;

/// Hears what happens while a cell runs. Called from the thread that calls Executor::run. This one
/// ignores everything.
class ExecutorObserver {
public:
  virtual ~ExecutorObserver() = default;
  virtual void on_event(const CellEvent& /*event*/) {}
};

/// Runs cells. The seam between measuring and being measured: TorchExecutor (in the worker),
/// WorkerExecutor (the front's proxy over a process), FakeExecutor (tests).
class Executor {
public:
  virtual ~Executor() = default;
  /// Never throws for what goes wrong in the cell: that is the outcome's status.
  virtual CellOutcome run(const Cell& cell, ExecutorObserver& observer) = 0;
  /// The devices that a cell may name: GPUs in the order of their numbers, then the CPU. Nothing is
  /// put on them, so a GPU's free memory stays 0. Throws Error if they cannot be asked for.
  virtual std::vector<DeviceInfo> devices() = 0;
  /// Seconds that a cell should take here by its arithmetic, looked at for less than a second;
  /// nothing is loaded. Empty where that tells nothing, as of a GPU.
  virtual std::optional<double> estimate(const Cell& /*cell*/) { return std::nullopt; }
  /// Forgets what earlier cells left behind: the next one finds everything cold.
  virtual void restart() = 0;
};

} // namespace sdbench

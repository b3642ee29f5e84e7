#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/measured.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"

namespace sdbench {

/// The steps of a run that were finished when it was stopped.
struct PartialRun {
  std::string stage; ///< name of CellStage::kFirstImage or kMeasure, or the text of an old row
  std::vector<double> step_s;
};

/// A worker's measurements: plain data, without statistics. Members that it does not send keep the
/// defaults below, and are empty in the row.
struct CellResult : Measured {
  DeviceInfo device;
  std::string runtime_version; ///< libtorch's for our own engines
  std::string engine;          ///< "plain", "tuned"
  std::int64_t engine_revision = 1;
  std::optional<Precision> dtype_unet;
  std::optional<Precision> dtype_vae;
  std::optional<Precision> dtype_text;
  EngineUse use;                       ///< the values of the engine's axes that were really used
  std::optional<std::int64_t> threads; ///< inside an operator
  std::string weights_identity;        ///< "synthetic:0", or the checkpoint's identity
  std::optional<double> expected_s;    ///< set only in the answer to an estimate
  double load_s = 0; ///< from the request to weights on the device; 0: they were there already
  double prepare_s =
      0; ///< not included in load_s: weights packed, kernels compiled, models exported
  RunSample first_image; ///< the first run of the cell: cold if the model was loaded for it
  std::vector<RunSample> samples;        ///< the timed runs
  std::optional<PartialRun> partial_run; ///< never one of `samples`
  std::int64_t warmup = 0;
  std::vector<std::string> flags;
  std::vector<std::string> image_files;
};

/// How a cell ended, with its result as far as it exists (a partial one if it was interrupted).
struct CellOutcome {
  Status status = Status::kError;
  std::optional<CellStage> stage; ///< where it ended, if not ok
  std::string message;            ///< one line, empty if ok
  std::optional<CellResult> result;
  std::string stderr_tail; ///< last lines of the worker's stderr, if it failed
  /// From DeviceEvent, so known before there is a result. Never part of a message.
  std::optional<DeviceInfo> device = std::nullopt;
};

/// A stage begins, and the previous one has ended.
struct StageEvent {
  CellStage stage = CellStage::kStart;
};
struct DeviceEvent {
  DeviceInfo device;
};
/// The model is on its device; dtypes are decided and recorded in `so_far`.
struct LoadedEvent {
  CellResult so_far;
};
/// A scheduler step has really finished. Some quick steps are not reported, but a run's last step
/// always is.
struct StepEvent {
  std::int64_t run = 0;   ///< of the current stage, from 0
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
/// Timed run `run` is ready, and begins when the observer returns: cells that run together wait
/// here for each other. Also sent once after the last run. Never sent while the clock runs.
struct ReadyEvent {
  std::int64_t run = 0;
};
/// Something the user should read (a fallback, a warning).
struct NoteEvent {
  std::string text;
};
/// The current activity of a long stage ("exporting the UNet to ONNX"), repeated every few seconds.
struct DoingEvent {
  std::string text;
};
/// The process that runs the cell. Comes before the worker's first event. Not sent if the cell runs
/// in this process.
struct WorkerEvent {
  std::int64_t process = 0;
};
/// A line that the worker wrote to its stderr, unchanged.
struct WorkerWordsEvent {
  std::string line;
};
/// The events of a running cell. The last two come from the front; no worker sends them.
using CellEvent = std::variant<StageEvent, DeviceEvent, LoadedEvent, StepEvent, SampleEvent,
                               ReadyEvent, NoteEvent, DoingEvent, WorkerEvent, WorkerWordsEvent>;

/// Receives the events of a running cell, in the thread that calls Executor::run. This base class
/// ignores them.
class ExecutorObserver {
public:
  virtual ~ExecutorObserver() = default;
  virtual void on_event(const CellEvent& /*event*/) {}
};

/// Runs cells. The interface between measuring and what is measured: TorchExecutor (in the worker),
/// WorkerExecutor (the front's proxy for a process), FakeExecutor (tests).
class Executor {
public:
  virtual ~Executor() = default;
  /// Never throws for an error in the cell: the outcome's status reports it.
  virtual CellOutcome run(const Cell& cell, ExecutorObserver& observer) = 0;
  /// The devices that a cell may name: GPUs in the order of their numbers, then the CPU. Allocates
  /// nothing on them, so a GPU's free memory stays 0. Throws Error if they cannot be queried.
  virtual std::vector<DeviceInfo> devices() = 0;
  /// Estimated seconds of a cell here, from the arithmetic that it needs and a speed measured in
  /// less than a second. Loads nothing. nullopt if no estimate is possible, as on a GPU.
  virtual std::optional<double> estimate(const Cell& /*cell*/) { return std::nullopt; }
  /// Discards everything that earlier cells left, so that the next cell starts cold.
  virtual void restart() = 0;
};

/// Ends a cell with a status of its own: too little memory, an interruption, a wrong image.
class CellFailure : public Error {
public:
  CellFailure(Status status, const std::string& message) : Error(message), status_(status) {}
  [[nodiscard]] Status status() const { return status_; }

private:
  Status status_;
};

} // namespace sdbench

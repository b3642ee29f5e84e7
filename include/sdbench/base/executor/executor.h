#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"

namespace sdbench {

/// The finished steps of a run that was stopped before its end.
struct PartialRun {
  std::string stage;          ///< name of stage kFirstImage or kMeasure; in old rows, any text
  std::vector<double> step_s; ///< seconds of each finished step
};

/// A worker's measurements of one cell: plain data, without statistics. Members that the worker
/// does not send keep the defaults below, and are empty in the row.
struct CellResult : Measured {
  DeviceInfo device;
  /// Version of the engine's runtime; for sdbench's own engines, of libtorch.
  std::string runtime_version;
  std::string engine; ///< engine name: "plain", "tuned", or an external engine's
  std::int64_t engine_revision = 1;
  std::optional<Precision> dtype_unet;
  std::optional<Precision> dtype_vae;
  std::optional<Precision> dtype_text;
  EngineUse use;                       ///< the engine settings that were actually used
  std::optional<std::int64_t> threads; ///< CPU threads that one operator uses
  std::string weights_identity;        ///< "synthetic:0", or the checkpoint's identity
  std::optional<double> expected_s; ///< estimated seconds of the cell; only for an EstimateRequest
  /// Seconds from the request until the weights were on the device. 0: they were there already.
  double load_s = 0;
  /// Seconds for packing weights, compiling kernels and exporting models. Not included in load_s.
  double prepare_s = 0;
  RunSample first_image;          ///< the cell's first run; cold if the model was loaded for it
  std::vector<RunSample> samples; ///< the timed runs
  /// A run that was stopped before its end; not in `samples`.
  std::optional<PartialRun> partial_run;
  std::int64_t warmup = 0; ///< number of warm-ups that were done
  std::vector<std::string> flags;
  std::vector<std::string> image_files;
};

/// How a cell ended, and its result as far as there is one. The result of an interrupted cell is
/// incomplete.
struct CellOutcome {
  Status status = Status::kError;
  std::optional<CellStage> stage; ///< the stage in which the cell ended; empty if the status is ok
  std::string message;            ///< error message in one line; empty if the status is ok
  std::optional<CellResult> result;
  std::string stderr_tail; ///< last lines of the worker's stderr if the cell failed; else empty
  /// The device that a DeviceEvent reported; known even if the cell has no result. The member is
  /// not part of any message.
  std::optional<DeviceInfo> device = std::nullopt;
};

/// A new stage begins; the previous stage has ended.
struct StageEvent {
  CellStage stage = CellStage::kStart;
};
/// The cell's device. In the answer to a DevicesRequest: one of the machine's devices.
struct DeviceEvent {
  DeviceInfo device;
};
/// The model is on its device. `so_far` contains the chosen dtypes.
struct LoadedEvent {
  CellResult so_far;
};
/// The device, not just the host, has finished a scheduler step (or iteration). If steps are quick,
/// some are not reported; the last step of a run is always reported.
struct StepEvent {
  std::int64_t run = 0;   ///< index of the run within the current stage, from 0
  std::int64_t step = 0;  ///< index of the step within the run (all its batches), from 0
  std::int64_t steps = 0; ///< number of steps of the run
  double seconds = 0;     ///< duration of this step
};
/// A run has ended. The event is sent immediately, so that the front keeps the run's times even if
/// the worker dies later.
struct SampleEvent {
  /// True: the first run, which is cold. False: a timed run.
  bool first_image = false;
  RunSample sample;
};
/// The worker is ready for the next timed run, which begins when the observer returns. Devices that
/// run together wait for each other within the observer. The event is also sent once after the last
/// run. Time spent in the observer is not measured.
struct ReadyEvent {
  std::int64_t run = 0; ///< index of the timed run; the first is 0
};
/// A text that the user should read (a fallback, a warning).
struct NoteEvent {
  std::string text;
};
/// The current activity in a long stage, such as "exporting the UNet to ONNX". Sent again every few
/// seconds.
struct DoingEvent {
  std::string text;
};
/// A figure of a probe; see kProbeFigures for its name and unit.
struct ProbeEvent {
  std::string name;
  double value = 0;
};
/// The id of the worker process that runs the cell. Comes before the worker's first event. Not sent
/// if the cell runs in this process.
struct WorkerEvent {
  std::int64_t process = 0;
};
/// One line that the worker wrote to stderr, unchanged.
struct WorkerWordsEvent {
  std::string line;
};
/// The events of a running cell. Workers send all of them except the last two, which the front
/// adds.
using CellEvent =
    std::variant<StageEvent, DeviceEvent, LoadedEvent, StepEvent, SampleEvent, ReadyEvent,
                 NoteEvent, DoingEvent, ProbeEvent, WorkerEvent, WorkerWordsEvent>;

/// A device to probe. The members are those of Cell with the same names.
struct ProbePlace {
  std::string device = "auto";
  std::string device_in_worker;
  std::optional<CpuShare> cpu_share;
  std::int64_t threads = 0;
  /// Names in kProbeFigures. Empty: all, for which the worker gives up its loaded model.
  std::vector<std::string> figures = {};
};

/// Receives the events of a running cell, in the thread that calls Executor::run. This base class
/// does nothing with them.
class ExecutorObserver {
public:
  virtual ~ExecutorObserver() = default;
  virtual void on_event(const CellEvent& /*event*/) {}
};

/// Interface of everything that can run cells. In a worker process, TorchExecutor computes with
/// libtorch; in the front, WorkerExecutor passes cells to a worker process. FakeExecutor is for
/// tests.
class Executor {
public:
  virtual ~Executor() = default;
  /// Runs one cell. Does not throw if the cell fails; the outcome's status reports the error.
  virtual CellOutcome run(const Cell& cell, ExecutorObserver& observer) = 0;
  /// The devices that a cell can use: GPUs in the order of their numbers, then the CPU.
  /// memory_free_bytes of GPUs stays 0, because its query would allocate GPU memory. Throws Error
  /// if the devices cannot be queried.
  virtual std::vector<DeviceInfo> devices() = 0;
  /// Estimates the seconds that a cell takes on this machine, from its number of operations and a
  /// speed that is measured in less than a second. Loads no model. nullopt if no estimate is
  /// possible, as on a GPU.
  virtual std::optional<double> estimate(const Cell& /*cell*/) { return std::nullopt; }
  /// Measures in a few seconds what a device can do. The observer hears a DeviceEvent, then a
  /// ProbeEvent for each figure; a NoteEvent says which figure could not be measured, and why.
  /// Does not throw if the probe fails; the outcome's status reports the error.
  virtual CellOutcome probe(const ProbePlace& /*place*/, ExecutorObserver& /*observer*/) {
    CellOutcome outcome;
    outcome.message = "this engine has no probe";
    return outcome;
  }
  /// Discards everything that earlier cells left behind, such as a loaded model, so that the next
  /// cell starts cold.
  virtual void restart() = 0;
};

/// Error that ends a cell with a status other than kError, for example because of too little
/// memory, an interruption or an invalid image.
class CellFailure : public Error {
public:
  CellFailure(Status status, const std::string& message) : Error(message), status_(status) {}
  [[nodiscard]] Status status() const { return status_; }

private:
  Status status_;
};

} // namespace sdbench

#include "sdbench/engine/worker/torch_executor.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cell_run.h"
#include "image_cell_run.h"
#include "network_cell_run.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/probe_figure_table.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/engine/pipeline/host_allocator.h"
#include "sdbench/engine/worker/cuda_facts.h"
#include "sdbench/engine/worker/cuda_obstacle.h"
#include "sdbench/engine/worker/device_choice.h"
#include "sdbench/engine/worker/device_probe.h"
#include "sdbench/engine/worker/exception_outcome.h"
#include "sdbench/engine/worker/kept_model.h"

namespace sdbench {

namespace {

/// Keeps memory that an earlier cell left in the allocators out of this cell's peaks. False if the
/// host's peak cannot be reset and still includes the earlier cell's.
bool forget_earlier_memory() {
  empty_cuda_cache();
  release_freed_memory();
  return reset_peak_resident();
}

/// Empty for devices other than GPUs, and for a GPU that answers no more.
std::optional<std::int64_t> free_gpu_bytes(const std::optional<DeviceInfo>& device) {
  try {
    return device && is_gpu_of_torch(device->kind)
               ? std::optional(cuda_memory_free_bytes(device->index))
               : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// A probe in the place of a cell. Has no result: its figures are events.
class ProbeRun final : public CellRun {
public:
  ProbeRun(const Cell& cell, const std::vector<std::string>& figures, ExecutorObserver& observer,
           const std::atomic<bool>* stop)
      : CellRun(cell, observer, stop), figures_(figures) {}

  void run() {
    take_place();
    enter(CellStage::kMeasure);
    probe_device(device_, result_.device,
                 {[this](std::string_view name, double value) {
                    observer_.on_event(ProbeEvent{std::string(name), value});
                    has_figure_ = true;
                  },
                  [this](std::string_view name, const std::string& reason) {
                    observer_.on_event(NoteEvent{std::string(find_probe_figure(name)->words) +
                                                 " could not be measured: " + reason});
                  },
                  [this] { end_if_stopped(); },
                  [this](std::string_view name) {
                    return figures_.empty() || std::ranges::count(figures_, name) > 0;
                  }});
    if (!has_figure_) {
      throw Error("the device must compute, but no figure could be measured");
    }
  }

private:
  const std::vector<std::string>& figures_;
  bool has_figure_ = false;
};

/// Runs a cell, and turns an exception into its outcome.
template <typename Run>
CellOutcome outcome_of(Run& run, Task task) {
  CellOutcome outcome;
  try {
    run.run();
    outcome.status = Status::kOk;
  } catch (...) {
    outcome = outcome_of_current_exception(task, free_gpu_bytes(run.device()));
    outcome.stage = run.stage();
  }
  outcome.result = run.result();
  outcome.device = run.device();
  return outcome;
}

} // namespace

TorchExecutor::TorchExecutor(const std::atomic<bool>* stop)
    : stop_(stop), model_(std::make_unique<KeptModel>()) {}

TorchExecutor::~TorchExecutor() = default;

void TorchExecutor::restart() {
  model_->drop();
}

CellOutcome TorchExecutor::run(const Cell& cell, ExecutorObserver& observer) {
  const bool is_network = cell.model.network.has_value();
  if (is_network) {
    model_->drop(); // a network uses nothing of a pipeline
  }
  const bool has_own_peak = !std::exchange(is_used_, true) || forget_earlier_memory();
  CellOutcome outcome;
  if (is_network) {
    NetworkCellRun run(cell, observer, stop_);
    outcome = outcome_of(run, cell.task);
  } else {
    ImageCellRun run(cell, observer, *model_, stop_);
    outcome = outcome_of(run, cell.task);
  }
  if (outcome.result && !has_own_peak) {
    outcome.result->peak_host_bytes.reset();
  }
  if (outcome.status != Status::kOk) {
    model_->drop(); // a device that has failed cannot be trusted
  }
  return outcome;
}

std::optional<double> TorchExecutor::estimate(const Cell& cell) {
  ExecutorObserver nobody;
  return ImageCellRun(cell, nobody, *model_, stop_).estimate(rates_);
}

CellOutcome TorchExecutor::probe(const ProbePlace& place, ExecutorObserver& observer) {
  if (place.figures.empty()) {
    model_->drop(); // all figures need more memory than a few
  }
  static_cast<void>(forget_earlier_memory()); // else arrays might not fit
  Cell cell;
  cell.device = place.device;
  cell.device_in_worker = place.device_in_worker;
  cell.cpu_share = place.cpu_share;
  cell.threads = place.threads;
  ProbeRun run(cell, place.figures, observer, stop_);
  return outcome_of(run, cell.task);
}

std::vector<DeviceInfo> TorchExecutor::devices() {
  std::vector<DeviceInfo> devices = cuda_devices();
  DeviceInfo cpu = describe_device(c10::Device(c10::kCPU), {});
  if (devices.empty()) {
    const CudaObstacle obstacle = why_no_cuda_device();
    cpu.cuda_obstacle = obstacle.text;
    cpu.cuda_driver_is_here = obstacle.driver_is_here;
  }
  devices.push_back(std::move(cpu));
  return devices;
}

} // namespace sdbench

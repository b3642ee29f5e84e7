#include "cell_run.h"

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/plan/time_estimate.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/engine/worker/cuda_facts.h"
#include "sdbench/engine/worker/cuda_obstacle.h"
#include "sdbench/engine/worker/device_choice.h"
#include "sdbench/engine/worker/engine_axis_choice.h"
#include "sdbench/engine/worker/product_rate.h"
#include "sdbench/engine/worker/thread_team.h"

namespace sdbench {

CellRun::CellRun(const Cell& cell, ExecutorObserver& observer, const std::atomic<bool>* stop)
    : cell_(cell), observer_(observer), timing_(cell, observer, stop, steady_seconds), stop_(stop) {
}

std::optional<CellResult> CellRun::result() const {
  return loaded_ ? std::optional<CellResult>(result_) : std::nullopt;
}

std::optional<DeviceInfo> CellRun::device() const {
  return result_.device.kind ? std::optional(result_.device) : std::nullopt;
}

void CellRun::enter(CellStage stage) {
  stage_ = stage;
  observer_.on_event(StageEvent{stage});
}

void CellRun::tell(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    observer_.on_event(NoteEvent{note});
  }
}

void CellRun::take_place() {
  enter(CellStage::kLoad);
  const ThreadTeam team = gather_threads(cell_.threads > 0 ? cell_.threads : usable_core_count());
  result_.threads = team.threads;
  const std::vector<DeviceInfo> gpus = cuda_devices();
  const bool lacks_gpu = gpus.empty() && !is_cpu(kind_asked(cell_.device));
  const CudaObstacle obstacle = lacks_gpu ? why_no_cuda_device() : CudaObstacle{};
  device_ = choose_device(cell_, gpus, obstacle.text);
  result_.device = describe_device(device_, gpus);
  result_.device.cuda_obstacle = obstacle.text;
  result_.device.cuda_driver_is_here = obstacle.driver_is_here;
  has_bf16_ = has_bf16(result_.device);
  observer_.on_event(DeviceEvent{result_.device});
  place_threads(team.threads, device_.is_cpu());
  if (device_.is_cpu() && !team.note.empty()) {
    tell({team.note});
  }
  set_engine_switches(cell_, result_.device);
}

void CellRun::tell_expected_time(c10::ScalarType type) {
  if (!device_.is_cpu()) {
    return;
  }
  const std::string note = expected_time_note(cell_, [&] {
    const double rate = product_rate(type);
    timing_.restart_load();
    return rate;
  });
  if (!note.empty()) {
    tell({note});
  }
}

void CellRun::measure_runs(TimedWork& work, const std::function<void()>& after_run) {
  if (!cell_.parallel_devices.empty()) {
    enter(CellStage::kWait); // not a part of what is measured
  }
  observer_.on_event(ReadyEvent{0});
  enter(CellStage::kMeasure);
  std::optional<CudaMemoryWatch> memory;
  if (device_.is_cuda()) {
    memory.emplace(device_.index());
  }
  timing_.measure(work, result_, after_run);
  if (memory) {
    memory->report(result_);
  }
  result_.peak_host_bytes = peak_resident_bytes();
}

bool CellRun::has_golden_weights() const {
  return cell_.weights.kind == WeightsLocation::Kind::kSynthetic && cell_.weights.seed == 0;
}

void CellRun::end_if_stopped() const {
  if (stop_ != nullptr && stop_->load()) {
    throw CellFailure(Status::kInterrupted,
                      "interrupted during stage " + std::string(name_of(stage_)));
  }
}

} // namespace sdbench

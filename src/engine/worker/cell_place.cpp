#include "cell_place.h"

#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/plan/time_estimate.h"
#include "sdbench/engine/worker/cuda_facts.h"
#include "sdbench/engine/worker/cuda_obstacle.h"
#include "sdbench/engine/worker/device_choice.h"
#include "sdbench/engine/worker/engine_axis_choice.h"
#include "sdbench/engine/worker/product_rate.h"
#include "sdbench/engine/worker/thread_team.h"

namespace sdbench {

CellPlace take_place(const Cell& cell, ExecutorObserver& observer, CellResult& result) {
  CellPlace place;
  const ThreadTeam team = gather_threads(cell.threads > 0 ? cell.threads : usable_core_count());
  result.threads = team.threads;
  const std::vector<DeviceInfo> gpus = cuda_devices();
  const bool lacks_gpu = gpus.empty() && !is_cpu(kind_asked(cell.device));
  const CudaObstacle obstacle = lacks_gpu ? why_no_cuda_device() : CudaObstacle{};
  place.device = choose_device(cell, gpus, obstacle.text);
  result.device = describe_device(place.device, gpus);
  result.device.cuda_obstacle = obstacle.text;
  result.device.cuda_driver_is_here = obstacle.driver_is_here;
  place.has_bf16 = has_bf16(result.device);
  observer.on_event(DeviceEvent{result.device});
  place_threads(team.threads, place.device.is_cpu());
  if (place.device.is_cpu() && !team.note.empty()) {
    observer.on_event(NoteEvent{team.note});
  }
  set_engine_switches(cell, result.device);
  return place;
}

void tell_expected_time(const Cell& cell, ExecutorObserver& observer, c10::Device device,
                        c10::ScalarType type, const std::function<void()>& looked) {
  if (!device.is_cpu()) {
    return;
  }
  const std::string note = expected_time_note(cell, [&] {
    const double rate = product_rate(type);
    looked();
    return rate;
  });
  if (!note.empty()) {
    observer.on_event(NoteEvent{note});
  }
}

} // namespace sdbench

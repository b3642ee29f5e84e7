#include "sdbench/front/bench/device_beside_nvml.h"

#include <algorithm>
#include <string_view>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/front/bench/worker_seat.h"

namespace sdbench {
namespace {

std::string gpu_names(const std::vector<GpuFacts>& gpus) {
  std::string names;
  for (const GpuFacts& gpu : gpus) {
    names +=
        (names.empty() ? "" : ", ") + one_line(gpu.name.empty() ? "one without a name" : gpu.name);
  }
  return names;
}

} // namespace

std::string driver_version_of(const DeviceInfo& device, const std::vector<GpuFacts>& gpus) {
  if (!has_sensors(device.kind, DeviceSensors::kNvml) || !device.driver_version.empty()) {
    return device.driver_version;
  }
  for (const GpuFacts& gpu : gpus) { // one driver serves all
    if (!gpu.driver_version.empty()) {
      return gpu.driver_version;
    }
  }
  return device.cuda_driver_version.empty() ? "" : "CUDA " + device.cuda_driver_version;
}

std::string left_gpu_note(const DeviceInfo& device, const std::vector<GpuFacts>& gpus,
                          const char* visible) {
  const bool is_news = device.cuda_driver_is_here || !gpus.empty();
  if (device.cuda_obstacle.empty() || !is_news || hides_all_gpus(visible)) {
    return "";
  }
  return "an NVIDIA driver is here" +
         (gpus.empty() ? "" : " (NVML lists " + gpu_names(gpus) + ")") +
         ", but CUDA cannot use it, so this runs on the CPU: " + one_line(device.cuda_obstacle);
}

std::string unseen_instances_note(const std::vector<GpuFacts>& gpus, const char* visible) {
  const bool names_instances = visible != nullptr && std::string_view(visible).starts_with("MIG-");
  if (names_instances || std::ranges::count(gpus, "on", &GpuFacts::mig) == 0) {
    return "";
  }
  return "a GPU is split into instances (MIG), and CUDA shows a process only one of them; to "
         "measure several, name them as nvidia-smi -L does: "
         "CUDA_VISIBLE_DEVICES=MIG-UUID,MIG-UUID";
}

} // namespace sdbench

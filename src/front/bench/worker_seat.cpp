#include "sdbench/front/bench/worker_seat.h"

#include <cstdint>
#include <string_view>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"

namespace sdbench {
namespace {

/// The n-th of "a,b,c"; empty if there are fewer, so that CUDA shows no GPU.
std::string nth_entry(std::string_view list, std::int64_t number) {
  for (;; --number) {
    const std::size_t comma = list.find(',');
    const std::string_view entry = list.substr(0, comma);
    if (entry == "-1" || number == 0) { // CUDA reads no further than -1
      return std::string(entry == "-1" ? std::string_view() : entry);
    }
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
}

} // namespace

WorkerSeat seat_of(const Cell& cell, const char* visible, const std::vector<int>& cores) {
  WorkerSeat seat;
  const DeviceName name = parse_device_name(cell.device).value_or(DeviceName());
  if (name.kind && !has_seat(name.kind, DeviceSeat::kVisibleGpu)) {
    seat.cuda_visible_devices = "";
    if (cell.cpu_share) {
      seat.cores = cores_of_share(cores, *cell.cpu_share);
    }
    return seat;
  }
  const std::int64_t number = name.number.value_or(0);
  seat.cuda_visible_devices =
      visible == nullptr ? std::to_string(number) : nth_entry(visible, number);
  return seat;
}

bool hides_all_gpus(const char* visible) {
  return visible != nullptr && nth_entry(visible, 0).empty();
}

std::string device_in_seat(const std::string& device) {
  const std::optional<DeviceName> name = parse_device_name(device);
  if (!name || !name->number) {
    return device;
  }
  switch (row_of(*name->kind).seat) {
  case DeviceSeat::kCores:
    return typed_name({.kind = name->kind});
  case DeviceSeat::kVisibleGpu:
    return typed_name({.kind = name->kind, .number = 0});
  case DeviceSeat::kAllGpus:
    break;
  }
  return device;
}

} // namespace sdbench

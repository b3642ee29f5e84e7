#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "sdbench/engine/distributed/data_parallel.h"

namespace sdbench::test {

/// Calls `train(place)` for each of the devices that meet in `meeting`, in threads where sdbench
/// has processes. Throws what one of them throws.
template <class Train>
void on_devices(std::int64_t count, const std::filesystem::path& meeting, const Train& train) {
  DevicePlace place;
  place.meeting = meeting;
  for (std::int64_t number = 0; number < count; ++number) {
    place.devices.push_back("cpu:" + std::to_string(number));
  }
  std::vector<std::future<void>> devices;
  for (; place.number < count; ++place.number) {
    devices.push_back(std::async(std::launch::async, [place, &train] { train(place); }));
  }
  for (std::future<void>& device : devices) {
    device.wait(); // all, before one throws away what the others use
  }
  for (std::future<void>& device : devices) {
    device.get();
  }
}

} // namespace sdbench::test

#include "process_group.h"

#include <cstdint>
#include <string>
#include <thread>
#include <utility>

#include <torch/csrc/distributed/c10d/FileStore.hpp>

#include "nccl_backend.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/device_meeting.h"
#include "sdbench/base/numbers/number_text.h"
#include "shared_memory.h"
#include "shared_memory_backend.h"

namespace sdbench {
namespace {

using Store = c10::intrusive_ptr<c10d::Store>;

constexpr const char* kMemoryKey = "memory";

std::string arrival_key(std::size_t number) {
  return "arrived-" + std::to_string(number);
}

/// Announces this device, and waits for all others.
void wait_for_all(const Store& store, const DevicePlace& place) {
  constexpr auto kLook = std::chrono::milliseconds(10);
  store->set(arrival_key(static_cast<std::size_t>(place.number)), "here");
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t other = 0; other < place.devices.size(); ++other) {
    while (!store->check({arrival_key(other)})) {
      require_partner(place, other, std::chrono::steady_clock::now() - start);
      std::this_thread::sleep_for(kLook);
    }
  }
}

/// The first device makes the memory before it announces itself.
c10::intrusive_ptr<c10d::Backend> make_cpu_backend(const Store& store, DevicePlace place) {
  if (place.number == 0) {
    SharedMemory memory = SharedMemory::make(SharedMemoryBackend::bytes_for(place.devices.size()));
    store->set(kMemoryKey, memory.path());
    wait_for_all(store, place);
    return c10::make_intrusive<SharedMemoryBackend>(std::move(memory), std::move(place));
  }
  wait_for_all(store, place);
  return c10::make_intrusive<SharedMemoryBackend>(SharedMemory::open(store->get_to_str(kMemoryKey)),
                                                  std::move(place));
}

} // namespace

ProcessGroup make_process_group(DevicePlace place, c10::Device device) {
  using Type = c10d::ProcessGroup::BackendType;
  const auto number = static_cast<int>(place.number);
  const auto count = static_cast<int>(place.devices.size());
  const Store store =
      c10::make_intrusive<c10d::FileStore>(meeting_store(place.meeting).string(), count);
  store->setTimeout(place.patience);
  auto group = c10::make_intrusive<c10d::ProcessGroup>(store, number, count);
  if (device.is_cuda()) {
    wait_for_all(store, place);
    group->setBackend(device.type(), Type::NCCL,
                      make_nccl_backend(store, number, count, place.patience));
    group->setDefaultBackend(Type::NCCL);
  } else {
    group->setBackend(device.type(), Type::CUSTOM, make_cpu_backend(store, std::move(place)));
    group->setDefaultBackend(Type::CUSTOM);
  }
  return group;
}

void require_partner(const DevicePlace& place, std::size_t other,
                     std::chrono::steady_clock::duration waited) {
  if (has_ended(place.meeting, static_cast<std::int64_t>(other))) {
    throw Error(partner_has_ended(place.devices[other]));
  }
  if (waited > place.patience) {
    const double seconds = std::chrono::duration<double>(place.patience).count();
    throw Error("all devices must train together, but " + place.devices[other] +
                " did not come within " + number_text(seconds) +
                " s (half of --timeout); see what else it computes");
  }
}

} // namespace sdbench

#include "sdbench/front/telemetry/gpu_reading.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("throttle reasons have NVML's names, and idling is none") {
  CHECK(throttle_reason_names(0) == "none");
  CHECK(throttle_reason_names(0x1) == "none");
  CHECK(throttle_reason_names(0x204) == "sw_power_cap 0x200"); // 0x200 is of a newer driver
  CHECK(throttle_reason_names(0x4 | 0x40 | 0x1) == "sw_power_cap hw_thermal_slowdown");
  CHECK(throttle_reason_names(kThrottledBits) ==
        "hw_slowdown sw_thermal_slowdown hw_thermal_slowdown hw_power_brake_slowdown");
}

TEST_CASE(
    "a GPU is found by its UUID, by its PCI address where that is unknown, never by its place") {
  std::vector<GpuFacts> gpus(2);
  gpus[0].uuid = "GPU-a";
  gpus[0].pci_address = "00000000:17:00.0";
  gpus[1].uuid = "GPU-b";
  gpus[1].pci_address = "00000000:65:00.0";
  CHECK(find_gpu(gpus, "GPU-b", "00000000:17:00.0") == &gpus[1]);
  CHECK(find_gpu(gpus, "MIG-c", "00000000:17:00.0") == &gpus[0]);
  CHECK(find_gpu(gpus, "GPU-d", "00000000:ff:00.0") == nullptr);
  CHECK(find_gpu(gpus, "", "") == nullptr);
  gpus[0].uuid.clear(); // a GPU that cannot be asked matches nothing
  gpus[0].pci_address.clear();
  CHECK(find_gpu(gpus, "", "") == nullptr);
}

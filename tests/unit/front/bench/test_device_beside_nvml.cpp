#include "sdbench/front/bench/device_beside_nvml.h"

#include "catch.h"
#include "sdbench/base/device/device_kind_table.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

DeviceInfo cpu_without(const char* obstacle, bool driver_is_here) {
  DeviceInfo device;
  device.kind = DeviceKind::kCpu;
  device.cuda_obstacle = obstacle;
  device.cuda_driver_is_here = driver_is_here;
  return device;
}

std::vector<GpuFacts> one_gpu() {
  GpuFacts gpu;
  gpu.name = "NVIDIA GeForce RTX 4090";
  gpu.driver_version = "580.65.06";
  return {gpu};
}

} // namespace

TEST_CASE(
    "the driver's version is the worker's, else NVML's, else the CUDA that the driver takes") {
  DeviceInfo device;
  device.kind = DeviceKind::kCuda;
  CHECK(driver_version_of(device, {}).empty());
  device.cuda_driver_version = "13.0";
  CHECK(driver_version_of(device, {}) == "CUDA 13.0");
  CHECK(driver_version_of(device, {GpuFacts{}}) == "CUDA 13.0");
  CHECK(driver_version_of(device, one_gpu()) == "580.65.06");
  device.driver_version = "535.183.01";
  CHECK(driver_version_of(device, one_gpu()) == "535.183.01");
  CHECK(driver_version_of(cpu_without("", false), one_gpu()).empty());
}

TEST_CASE("a GPU that auto could not take is told with the reason, and what NVML lists") {
  const DeviceInfo broken = cpu_without("the driver and its module differ; restart", true);
  CHECK(left_gpu_note(broken, {}, nullptr) ==
        "an NVIDIA driver is here, but CUDA cannot use it, so this runs on the CPU: the driver and "
        "its module differ; restart");
  CHECK_THAT(left_gpu_note(broken, one_gpu(), "0"),
             ContainsSubstring("(NVML lists NVIDIA GeForce RTX 4090)"));
  CHECK_THAT(
      left_gpu_note(cpu_without("libcuda.so.1 is not here; install", false), one_gpu(), nullptr),
      ContainsSubstring("libcuda.so.1 is not here; install"));
}

TEST_CASE("no driver, a driver without a GPU, and GPUs that are hidden on purpose are no news") {
  CHECK(left_gpu_note(cpu_without("CUDA's driver sees no GPU; check", false), {}, nullptr).empty());
  CHECK(left_gpu_note(cpu_without("", false), one_gpu(), nullptr).empty()); // --device cpu
  for (const char* hidden : {"", "-1", "-1,0"}) {
    CHECK(left_gpu_note(cpu_without("restart", true), one_gpu(), hidden).empty());
  }
}

TEST_CASE("a split GPU is told with how to name its instances, unless they are named already") {
  std::vector<GpuFacts> gpus(2);
  gpus[0].mig = "off"; // gpus[1] cannot be split
  CHECK(unseen_instances_note(gpus, nullptr).empty());
  CHECK(unseen_instances_note({}, nullptr).empty());
  gpus[1].mig = "on";
  for (const char* visible : {static_cast<const char*>(nullptr), "0,1", "GPU-5c2c1f50"}) {
    CHECK_THAT(unseen_instances_note(gpus, visible),
               ContainsSubstring("CUDA_VISIBLE_DEVICES=MIG-UUID,MIG-UUID"));
  }
  for (const char* visible : {"MIG-3c01", "MIG-3c01,MIG-GPU-5c2c/1/0"}) {
    CHECK(unseen_instances_note(gpus, visible).empty());
  }
}

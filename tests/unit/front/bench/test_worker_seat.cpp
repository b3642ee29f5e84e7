#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/front/bench/worker_seat.h"

#include "catch.h"
#include "pretended_kind.h"

using namespace sdbench;

namespace {

std::string gpus_of(const std::string& device, const char* visible) {
  Cell cell;
  cell.device = device;
  return seat_of(cell, visible, {}).cuda_visible_devices.value_or("unset");
}

} // namespace

TEST_CASE("a worker sees its GPU alone, in CUDA's own order") {
  CHECK(gpus_of("cuda:2", nullptr) == "2");
  CHECK(gpus_of("cuda", nullptr) == "0");
  CHECK(gpus_of("auto", nullptr) == "0");
  CHECK(gpus_of("cpu", nullptr).empty());
}

TEST_CASE("where the user shows some GPUs only, --device counts these") {
  CHECK(gpus_of("cuda:1", "3,GPU-5c2c,7") == "GPU-5c2c");
  CHECK(gpus_of("cuda:1", "MIG-3c01,MIG-GPU-5c2c/1/0") == "MIG-GPU-5c2c/1/0");
  CHECK(gpus_of("auto", "3,5") == "3");
  CHECK(gpus_of("cuda:2", "3,5").empty());
  CHECK(gpus_of("cuda:0", "").empty());
  CHECK(gpus_of("cuda:0", "0,-1,1") == "0");
  CHECK(gpus_of("cuda:1", "0,-1,1").empty()); // CUDA reads no further than -1
  CHECK(gpus_of("cuda:2", "0,-1,1").empty());
}

TEST_CASE("a share of the CPU has its cores, all of it has all") {
  Cell cell;
  cell.device = "cpu:1";
  cell.cpu_share = CpuShare{1, 2};
  CHECK(seat_of(cell, nullptr, {0, 1, 2, 3}).cores == std::vector<int>{2, 3});
  cell.device = "cpu";
  cell.cpu_share.reset();
  CHECK(seat_of(cell, nullptr, {0, 1, 2, 3}).cores.empty());
}

TEST_CASE("a worker knows its own GPU as the first") {
  CHECK(device_in_seat("cuda:3") == "cuda:0");
  CHECK(device_in_seat("cpu:1") == "cpu");
  CHECK(device_in_seat("auto") == "auto");
  CHECK(device_in_seat("cuda") == "cuda");
}

TEST_CASE("a worker on a GPU of Intel's sees none of NVIDIA's, and keeps its number") {
  CHECK(gpus_of("intel:1", "3,5").empty());
  CHECK(device_in_seat("intel:1") == "intel:1");
  CHECK(device_in_seat("intel") == "intel");
}

TEST_CASE("a new kind of device has the seat that its row says") {
  const test::PretendedKind rocm;
  CHECK(gpus_of("rocm:1", "3,5") == "5");
  CHECK(device_in_seat("rocm:1") == "rocm:0");
}

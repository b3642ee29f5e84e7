#include "sdbench/engine/worker/cuda_obstacle.h"

#include <algorithm>
#include <array>
#include <utility>

#include "catch.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

const CudaLibrary kLoads{true, ""};

CudaAnswer answer_of(int code) {
  return {.code = code,
          .words = "some words",
          .driver_cuda = 13000,
          .runtime_cuda = 13000,
          .driver_version = "580.65.06"};
}

} // namespace

TEST_CASE(
    "each state in which CUDA cannot use a driver has its reason and its remedy in one line") {
  constexpr std::array<std::pair<int, std::array<const char*, 2>>, 7> kParts{
      {{34, {"stub", "LD_LIBRARY_PATH"}},
       {101, {"error 101", "CUDA_VISIBLE_DEVICES"}},
       {304, {"error 304", "--gpus all"}},
       {802, {"error 802", "nvidia-fabricmanager"}},
       {803, {"different versions", "restart the machine"}},
       {804, {"newer than the driver's kernel module", "restart the machine"}},
       {999, {"error 999", "nvidia_uvm"}}}};
  for (const auto& [code, parts] : kParts) {
    const CudaObstacle obstacle = cuda_obstacle(answer_of(code), kLoads);
    for (const char* part : parts) {
      CHECK_THAT(obstacle.text, ContainsSubstring(part));
    }
    CHECK(std::ranges::count(obstacle.text, ';') >= 1);
    CHECK(std::ranges::count(obstacle.text, '\n') == 0);
    CHECK(obstacle.driver_is_here);
  }
}

TEST_CASE(
    "a driver that is too old is told with its version, libtorch's CUDA and what that needs") {
  CudaAnswer answer = answer_of(35);
  answer.driver_cuda = 12020;
  answer.driver_version = "535.183.01";
  CHECK_THAT(
      cuda_obstacle(answer, kLoads).text,
      ContainsSubstring("the NVIDIA driver 535.183.01 (CUDA up to 12.2) is too old for this "
                        "libtorch's CUDA 13.0, which needs 580 or newer; update the driver"));
  answer.driver_version = "";
  answer.driver_cuda = 11040;
  answer.runtime_cuda = 12060;
  CHECK_THAT(cuda_obstacle(answer, kLoads).text,
             ContainsSubstring("the NVIDIA driver (CUDA up to 11.4) is too old for this libtorch's "
                               "CUDA 12.6, which needs 525 or newer; update the driver"));
  answer.runtime_cuda = 99000; // not known yet
  CHECK_THAT(cuda_obstacle(answer, kLoads).text, ContainsSubstring("CUDA 99.0; update the driver"));
}

TEST_CASE("a driver without a GPU, and no driver, are no fault of a driver that is here") {
  for (const int code : {0, 100}) {
    const CudaObstacle obstacle = cuda_obstacle(answer_of(code), kLoads);
    CHECK_THAT(obstacle.text, ContainsSubstring("sees no GPU; check"));
    CHECK_FALSE(obstacle.driver_is_here);
  }
  CudaAnswer none = answer_of(35); // what CUDA's runtime answers then, too
  none.driver_cuda = 0;
  const CudaObstacle obstacle = cuda_obstacle(none, {});
  CHECK_THAT(obstacle.text, ContainsSubstring("libcuda.so.1, is not here; install"));
  CHECK_FALSE(obstacle.driver_is_here);
}

TEST_CASE("a driver's library that cannot be loaded is a driver that is here") {
  const CudaLibrary cut{false, "/usr/lib/libcuda.so.1: file too short"};
  CudaAnswer answer = answer_of(35);
  answer.driver_cuda = 0;
  for (const CudaObstacle& obstacle :
       {cuda_obstacle(answer, cut), cuda_obstacle_without_runtime(cut)}) {
    CHECK_THAT(obstacle.text, ContainsSubstring("file too short; install the NVIDIA driver again"));
    CHECK(obstacle.driver_is_here);
  }
}

TEST_CASE("a code that is not known is told in CUDA's own words") {
  const CudaObstacle obstacle = cuda_obstacle(answer_of(4711), kLoads);
  CHECK_THAT(obstacle.text, ContainsSubstring("some words (error 4711); look"));
  CHECK(obstacle.driver_is_here);
}

TEST_CASE("a libtorch without CUDA says so where a driver is here") {
  const CudaObstacle obstacle = cuda_obstacle_without_runtime(kLoads);
  CHECK_THAT(obstacle.text, ContainsSubstring("built without CUDA; take another"));
  CHECK_FALSE(obstacle.driver_is_here);
  CHECK_THAT(cuda_obstacle_without_runtime({}).text, ContainsSubstring("is not here"));
}

#include "sdbench/front/inventory/device_list.h"

#include <memory>

#include "catch.h"
#include "environment.h"
#include "fake_driver.h"
#include "fake_executor.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/bench/worker_process.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using sdbench::test::EnvironmentVariable;
using sdbench::test::FakeDriver;

namespace {

/// A worker whose CUDA has GPUs.
std::unique_ptr<Executor> usual_worker(WorkerOptions& /*options*/) {
  return std::make_unique<test::FakeExecutor>();
}

/// A worker whose CUDA cannot use the driver.
std::unique_ptr<Executor> worker_without_gpu(WorkerOptions& /*options*/) {
  struct Executor final : test::FakeExecutor {
    std::vector<DeviceInfo> devices() override {
      DeviceInfo cpu;
      cpu.kind = DeviceKind::kCpu;
      cpu.cuda_obstacle = "the driver and its module differ; restart the machine";
      return {cpu};
    }
  };
  return std::make_unique<Executor>();
}

} // namespace

TEST_CASE("JSON has every GPU with what follows from its compute capability, and the processor") {
  const FakeDriver driver("");
  const Json list = Json::parse(device_list_text(true, usual_worker));
  REQUIRE(list.size() == 4);
  const Json& h100 = list[2];
  CHECK(h100["name"] == "Fake H100");
  CHECK(h100["generation"] == "Hopper");
  CHECK(h100["compute_capability"] == "9.0");
  CHECK(h100["sm_count"] == 132);
  CHECK(h100["tensor_core_generation"] == 4);
  CHECK(h100["tensor_dtypes"] == Json({"fp16", "bf16", "tf32", "fp64", "fp8", "int8"}));
  CHECK(h100["nominal_fp32_flops"] == 2 * 128 * 132 * 1.5e9);
  CHECK(h100["nominal_fp16_flops"] == 4096 * 132 * 1.5e9);
  CHECK(h100["memory_total_bytes"] == std::int64_t{80} << 30);
  CHECK(h100["sm_clock_hz"] == 1.2e9);
  CHECK(h100["power_limit_w"] == 400);
  CHECK(h100["driver_version"] == "999.11.22");
  CHECK(h100["problem"].is_null());
  CHECK(list[1]["tensor_core_generation"] == 0);
  CHECK(list[1]["tensor_dtypes"].empty());
  CHECK(list[1]["ecc"].is_null());
  CHECK(list[3]["kind"] == "cpu");
  CHECK(list[3]["core_count"] >= 1);
  CHECK_FALSE(list[3]["instruction_sets"].empty());
}

TEST_CASE("the table tells a person the same") {
  const FakeDriver driver("");
  const std::string table = device_list_text(false, usual_worker);
  for (const char* part :
       {"GPU 2  Fake H100", "Hopper, compute capability 9.0, 132 SMs", "generation 4: fp16 bf16",
        "50.7 TFLOPS fp32, 811 TFLOPS fp16 with sums in fp32 at the highest clock, 1500 MHz",
        "80.0 GiB, 79.0 GiB free", "SM 1200 of 1500 MHz", "200 of 400 W, 60.0 degC",
        "999.11.22, CUDA up to 13.0", "CUDA_DEVICE_ORDER", "CPU    "}) {
    CHECK_THAT(table, ContainsSubstring(part));
  }
}

TEST_CASE("what a GPU does not tell is left out, and one that fails says why") {
  const FakeDriver driver("old fails");
  const Json list = Json::parse(device_list_text(true, usual_worker));
  CHECK(list[0]["sm_count"].is_null());
  CHECK(list[0]["nominal_fp32_flops"].is_null());
  CHECK(list[0]["generation"] == "Turing");
  CHECK(list[1]["problem"] == "Unknown Error");
  CHECK(list[1]["memory_total_bytes"].is_null());
  CHECK_THAT(device_list_text(false, usual_worker), ContainsSubstring("Unknown Error"));
}

TEST_CASE("a machine without a GPU lists its processor, and says why there is no GPU") {
  {
    const FakeDriver driver("no_driver");
    CHECK_THAT(device_list_text(false, usual_worker),
               ContainsSubstring("No NVIDIA GPU: nvmlInit_v2() failed: Driver Not Loaded"));
  }
  const EnvironmentVariable none("SDBENCH_NVML", "");
  CHECK_THAT(device_list_text(false, usual_worker), ContainsSubstring("No NVIDIA GPU\n"));
  CHECK(Json::parse(device_list_text(true, usual_worker)).size() == 1);
}

TEST_CASE("GPUs that CUDA cannot use are listed with the reason, and so is a worker that fails") {
  const FakeDriver driver("");
  CHECK(Json::parse(device_list_text(true, usual_worker))[3]["cuda_problem"].is_null());
  CHECK_THAT(device_list_text(false, usual_worker), !ContainsSubstring("CUDA cannot be used"));
  CHECK(Json::parse(device_list_text(true, worker_without_gpu))[3]["cuda_problem"] ==
        "the driver and its module differ; restart the machine");
  CHECK_THAT(
      device_list_text(false, worker_without_gpu),
      ContainsSubstring("GPU 2  Fake H100") &&
          ContainsSubstring("CUDA cannot be used: the driver and its module differ; restart"));
  const auto no_worker = [](WorkerOptions&) -> std::unique_ptr<Executor> {
    throw Error("a worker must stand there, but there is none");
  };
  CHECK_THAT(device_list_text(false, no_worker), ContainsSubstring("a worker must stand there"));
}

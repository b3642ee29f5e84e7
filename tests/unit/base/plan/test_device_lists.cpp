#include "sdbench/base/plan/device_lists.h"

#include "catch.h"
#include "pretended_kind.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;

namespace {

using Names = std::vector<std::string>;

constexpr std::size_t kCores = 8;

std::optional<CpuShare> share_of(const std::string& device, const Names& devices) {
  return cpu_share_of(device, devices, kCores);
}

RunConfig parallel() {
  RunConfig config;
  config.parallel = true;
  return config;
}

std::vector<RunOptions> options_of(Json values) {
  OptionLayers layers;
  layers.add(values, "--");
  return layers.cells();
}

std::vector<DeviceInfo> gpus(int count) {
  std::vector<DeviceInfo> devices(static_cast<std::size_t>(count) + 1);
  for (DeviceInfo& device : devices) {
    device.kind = DeviceKind::kCuda;
  }
  devices.back().kind = DeviceKind::kCpu;
  return devices;
}

} // namespace

TEST_CASE("each cpu:K of a list has its share of the cores, other devices have none") {
  const Names list = {"cpu:1", "cuda:0", "cpu:0", "cpu"};
  CHECK(share_of("cpu:0", list)->number == 0);
  CHECK(share_of("cpu:1", list)->number == 1);
  CHECK(share_of("cpu:1", list)->count == 2);
  CHECK_FALSE(share_of("cpu", list).has_value());
  CHECK_FALSE(share_of("cuda:0", list).has_value());
}

TEST_CASE("shares that cannot be are refused with what must be") {
  CHECK_THROWS_WITH(share_of("cpu:1", {"cpu:1"}),
                    "--device must name cpu:K as one of several shares (cpu:0,cpu:1), but names "
                    "cpu:1 alone; name all shares in one list, or take cpu for all cores");
  CHECK_THROWS_WITH(share_of("cpu:0", {"cpu:0", "cpu:2"}),
                    "--device must name shares of the cores without a gap (cpu:0 to cpu:1), but "
                    "names cpu:2");
  CHECK_THROWS_WITH(cpu_share_of("cpu:0", Names{"cpu:0", "cpu:1", "cpu:2"}, 2),
                    "--device must name no more shares than there are cores (2), but names 3");
  CHECK_THROWS_AS(share_of("cpu:0", {}), UsageError);
}

TEST_CASE("devices that cannot run together are refused") {
  const auto refused = [](const Names& devices) {
    CHECK_THROWS_AS(check_parallel(parallel(), devices), UsageError);
  };
  refused({});
  refused({"cuda:0"});
  refused({"cuda", "cuda:0"});
  refused({"cuda:0", "auto"});
  refused({"cpu", "cpu:0", "cpu:1"});
  CHECK_NOTHROW(check_parallel(parallel(), Names{"cuda:0", "cuda:1"}));
  CHECK_NOTHROW(check_parallel(parallel(), Names{"cpu:0", "cpu:1"}));
  CHECK_NOTHROW(check_parallel(parallel(), Names{"cpu", "cuda:0"}));
}

TEST_CASE("options that make no sense beside --parallel are refused") {
  const Names two = {"cpu:0", "cpu:1"};
  RunConfig config = parallel();
  config.batch.reset();
  CHECK_THROWS_AS(check_parallel(config, two), UsageError);
  config = parallel();
  config.share = "images";
  CHECK_THROWS_WITH(check_parallel(config, two),
                    "--share must be prompts, batch or each, but is \"images\"");
  config = parallel();
  config.dump_latents = "a";
  CHECK_THROWS_AS(check_parallel(config, two), UsageError);
  config = parallel();
  config.init_latents = "a";
  CHECK_THROWS_AS(check_parallel(config, two), UsageError);
}

TEST_CASE("all is every GPU, and what auto comes to where there is none") {
  CHECK(all_device_names(gpus(2), nullptr) == Names{"cuda:0", "cuda:1"});
  CHECK(all_device_names(gpus(2), "1,0") == Names{"cuda:0", "cuda:1"});
  CHECK(all_device_names(gpus(0), nullptr) == Names{"auto"});
}

TEST_CASE("all is every GPU of a new kind that libtorch has") {
  const test::PretendedKind rocm;
  std::vector<DeviceInfo> devices = gpus(1);
  devices.front().kind = rocm.kind;
  CHECK(all_device_names(devices, nullptr) == Names{"rocm:0"});
}

TEST_CASE("all is every instance of split GPUs that is named, of which CUDA shows the first") {
  CHECK(all_device_names(gpus(1), "MIG-a") == Names{"cuda:0"});
  CHECK(all_device_names(gpus(1), "MIG-a,MIG-GPU-b/1/0,MIG-c") ==
        Names{"cuda:0", "cuda:1", "cuda:2"});
  CHECK(all_device_names(gpus(1), "MIG-a,-1,MIG-c") == Names{"cuda:0"});
  CHECK(all_device_names(gpus(1), "GPU-5c2c1f50") == Names{"cuda:0"});
  CHECK(all_device_names(gpus(0), "MIG-a,MIG-b") == Names{"auto"});
}

TEST_CASE("all among the devices of cells is replaced: a cell each, or one for all in parallel") {
  CHECK_FALSE(names_all_devices(options_of({{"device", {"cpu", "cuda"}}})));
  const auto apart = options_of({{"device", {"cpu", "all"}}, {"batch", {1, 2}}});
  CHECK(names_all_devices(apart));
  Names devices;
  for (const RunOptions& options : with_all_devices(apart, {"cuda:0", "cuda:1"})) {
    devices.push_back(options.cell.device + " " + std::to_string(*options.cell.batch));
    CHECK(options.cell.devices == Names{"cpu", "cuda:0", "cuda:1"});
  }
  CHECK(devices == Names{"cpu 1", "cuda:0 1", "cuda:1 1", "cpu 2", "cuda:0 2", "cuda:1 2"});

  const auto together =
      with_all_devices(options_of({{"device", "all"}, {"parallel", true}}), {"cuda:0", "cuda:1"});
  REQUIRE(together.size() == 1);
  CHECK(together[0].cell.device == "cuda:0");
  CHECK(together[0].cell.devices == Names{"cuda:0", "cuda:1"});
  CHECK_THROWS_AS(with_all_devices(options_of({{"device", {"all", "cuda"}}}), {"cuda:0"}),
                  UsageError);
  CHECK_THROWS_AS(with_all_devices(options_of({{"device", {"all", "cpu"}}}), {"auto"}), UsageError);
}

#include "sdbench/front/bench/libtorch_for_gpus.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

namespace {

GpuFacts gpu_of(int major, int minor, const std::string& driver = "580.65.06") {
  GpuFacts gpu;
  gpu.compute_major = major;
  gpu.compute_minor = minor;
  gpu.driver_version = driver;
  return gpu;
}

/// Workers as list_workers() gives them, the newest first, with their libtorches' needs in files.
std::vector<WorkerProgram> workers_in(const ScratchFolder& tree) {
  tree.write("2.11.0/gpu-code.json",
             R"({"oldest_driver": "580", "capabilities": ["7.5", "8.0", "8.6"]})");
  tree.write("2.7.1/gpu-code.json",
             R"({"oldest_driver": "525", "capabilities": ["5.0", "7.0", "7.5", "8.0", "8.6"]})");
  return {{tree.path() / "2.11.0" / "sdbench-worker", "2.11.0", ""},
          {tree.path() / "2.7.1" / "sdbench-worker", "2.7.1", ""}};
}

} // namespace

TEST_CASE(
    "of several libtorches the newest that has code for the GPU and takes its driver is taken") {
  const ScratchFolder tree;
  const auto workers = workers_in(tree);
  CHECK(libtorch_for_gpus(workers, {gpu_of(8, 9)}) == "2.11.0"); // code for 8.6 runs on 8.9
  CHECK(libtorch_for_gpus(workers, {gpu_of(7, 0)}) == "2.7.1");
  CHECK(libtorch_for_gpus(workers, {gpu_of(8, 9, "550.54.15")}) == "2.7.1");
  CHECK(libtorch_for_gpus(workers, {gpu_of(8, 9), gpu_of(5, 2)}) == "2.7.1"); // serves both
  CHECK(libtorch_for_gpus(workers, {gpu_of(9, 0)}) == "2.11.0");     // neither has code for it
  CHECK(libtorch_for_gpus(workers, {gpu_of(0, 0, "")}) == "2.11.0"); // unknown capability
}

TEST_CASE("a libtorch that says nothing of GPUs serves all of them") {
  const ScratchFolder tree;
  auto workers = workers_in(tree);
  workers.insert(workers.begin(), {tree.path() / "3.0.0" / "sdbench-worker", "3.0.0", ""});
  CHECK(libtorch_for_gpus(workers, {gpu_of(5, 0)}) == "3.0.0");
}

TEST_CASE("without a GPU, and with one worker, the GPUs choose nothing") {
  const ScratchFolder tree;
  auto workers = workers_in(tree);
  CHECK(libtorch_for_gpus(workers, {}).empty());
  workers.pop_back();
  CHECK(libtorch_for_gpus(workers, {gpu_of(7, 0)}).empty());
}

TEST_CASE("what says something else of GPUs than it should is refused by name") {
  const ScratchFolder tree;
  const auto workers = workers_in(tree);
  tree.write("2.7.1/gpu-code.json", "{}");
  CHECK_THROWS_WITH(libtorch_for_gpus(workers, {gpu_of(7, 0)}),
                    Catch::Matchers::ContainsSubstring(
                        "2.7.1/gpu-code.json must hold oldest_driver and capabilities"));
}

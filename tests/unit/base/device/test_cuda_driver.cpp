#include "sdbench/base/device/cuda_driver.h"

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

TEST_CASE("WSL's device of any maker's GPU is no driver of NVIDIA's") {
  const ScratchFolder root;
  CHECK_FALSE(has_driver_files(root.path()));
  root.write("dev/dxg", "");
  CHECK_FALSE(has_driver_files(root.path()));
  root.write("usr/lib/wsl/lib/libcuda.so.1", ""); // Windows has NVIDIA's
  CHECK(has_driver_files(root.path()));
}

TEST_CASE("the devices of NVIDIA's driver are its files") {
  for (const char* file : {"dev/nvidiactl", "dev/nvhost-gpu", "proc/driver/nvidia/version"}) {
    const ScratchFolder root;
    root.write(file, "");
    CHECK(has_driver_files(root.path()));
  }
}

#include "sdbench/engine/worker/cuda_obstacle.h"

#include <algorithm>
#include <array>

#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

// Values of cudaError in driver_types.h, which a build without CUDA lacks.
constexpr int kSuccess = 0;             ///< but no GPU was found
constexpr int kInsufficientDriver = 35; ///< also where there is no libcuda
constexpr int kCallNeedsNewerDriver = 36;
constexpr int kNoDevice = 100;

struct Explanation {
  int code;
  const char* text;
};

constexpr std::array kExplanations{
    Explanation{34, "libcuda.so.1 is a CUDA toolkit's stub, which is only for linking; take the "
                    "folder with stubs in its name out of LD_LIBRARY_PATH"},
    Explanation{kNoDevice, "CUDA's driver sees no GPU; check which GPUs nvidia-smi lists and that "
                           "CUDA_VISIBLE_DEVICES names these, make an instance if MIG is on, and "
                           "start a container with --gpus all"},
    Explanation{101, "CUDA's driver counts a GPU that it cannot reach (error 101, invalid device); "
                     "check that nvidia-smi lists all GPUs and that CUDA_VISIBLE_DEVICES names "
                     "only these, else restart the machine"},
    Explanation{304, "the system does not let CUDA's driver open its device files (error 304); "
                     "start a container with --gpus all, else try: sudo nvidia-modprobe -u -c=0"},
    Explanation{802,
                "the links between the GPUs are not set up yet (error 802); start NVIDIA's fabric "
                "manager, whose version must be the driver's: sudo systemctl start "
                "nvidia-fabricmanager"},
    Explanation{803,
                "the driver's library and its kernel module are of different versions, as after an "
                "upgrade (error 803); restart the machine"},
    Explanation{804,
                "libcuda.so.1 is newer than the driver's kernel module, which this GPU does not "
                "allow (error 804); restart the machine after an upgrade of the driver, and take "
                "cuda-compat's folder out of LD_LIBRARY_PATH"},
    Explanation{999,
                "CUDA's driver cannot start, as can happen after standby (error 999); try: sudo "
                "modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm, else restart the machine"},
};

/// The oldest driver for each major version of CUDA: its minor versions run on it, too. Source:
/// CUDA's release notes, "CUDA Toolkit and Minimum Required Driver Version for CUDA Minor Version
/// Compatibility".
struct OldestDriver {
  int cuda_major;
  const char* version;
};
constexpr std::array kOldestDrivers{OldestDriver{11, "450"}, OldestDriver{12, "525"},
                                    OldestDriver{13, "580"}};

std::string driver_text(const CudaAnswer& answer) {
  return "the NVIDIA driver" + (answer.driver_version.empty() ? "" : " " + answer.driver_version) +
         (answer.driver_cuda == 0 ? ""
                                  : " (CUDA up to " + cuda_version_text(answer.driver_cuda) + ")");
}

std::string too_old(const CudaAnswer& answer) {
  const auto* const oldest =
      std::ranges::find(kOldestDrivers, answer.runtime_cuda / 1000, &OldestDriver::cuda_major);
  return driver_text(answer) + " is too old for this libtorch's CUDA " +
         cuda_version_text(answer.runtime_cuda) +
         (oldest == kOldestDrivers.end()
              ? ""
              : std::string(", which needs ") + oldest->version + " or newer") +
         "; update the driver, or remove .deps/libtorch-choice and run scripts/run.sh again, which "
         "takes a libtorch for it";
}

std::string explain(const CudaAnswer& answer) {
  if (answer.code == kInsufficientDriver) {
    return too_old(answer);
  }
  if (answer.code == kCallNeedsNewerDriver) {
    return driver_text(answer) + " lacks functions that this libtorch's CUDA " +
           cuda_version_text(answer.runtime_cuda) + " calls; update the driver";
  }
  const auto* const found = std::ranges::find(
      kExplanations, answer.code == kSuccess ? kNoDevice : answer.code, &Explanation::code);
  return found != kExplanations.end()
             ? found->text
             : "CUDA says: " + one_line(answer.words) + " (error " + std::to_string(answer.code) +
                   "); look whether nvidia-smi answers, and restart the machine after an upgrade "
                   "of the driver";
}

/// The loader's message shows whether the driver is missing or broken.
CudaObstacle without_library(const CudaLibrary& library) {
  if (!library.problem.empty()) {
    return {"CUDA's driver library cannot be loaded: " + one_line(library.problem) +
                "; install the NVIDIA driver again",
            true};
  }
  return {
      "CUDA's driver library, libcuda.so.1, is not here; install the NVIDIA driver with its part "
      "for CUDA, or start the container with --gpus all",
      false};
}

} // namespace

CudaObstacle cuda_obstacle(const CudaAnswer& answer, const CudaLibrary& library) {
  if (answer.driver_cuda == 0 && !library.loads) {
    return without_library(library);
  }
  return {explain(answer), answer.code != kSuccess && answer.code != kNoDevice};
}

CudaObstacle cuda_obstacle_without_runtime(const CudaLibrary& library) {
  if (!library.loads) {
    return without_library(library);
  }
  return {"this libtorch is built without CUDA; take another with SDBENCH_LIBTORCH, or run "
          "scripts/run.sh without it",
          false};
}

} // namespace sdbench

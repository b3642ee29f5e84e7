#include "catch.h"

#include <string>
#include <tuple>
#include <vector>

#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/worker/cuda_facts.h"
#include "sdbench/engine/worker/device_choice.h"
#include "sdbench/engine/worker/dtype_choice.h"

using namespace sdbench;

namespace {

std::vector<DeviceInfo> two_gpus() {
  DeviceInfo old_card;
  old_card.kind = DeviceKind::kCuda;
  old_card.name = "GTX 1660";
  old_card.compute_capability = "7.5";
  DeviceInfo new_card = old_card;
  new_card.name = "H200";
  new_card.compute_capability = "9.0";
  new_card.index = 1;
  return {old_card, new_card};
}

} // namespace

TEST_CASE("auto takes the first GPU, or the CPU where there is none") {
  CHECK(choose_device("auto", {}).is_cpu());
  CHECK(choose_device("auto", two_gpus()) == c10::Device(c10::kCUDA, 0));
  CHECK(choose_device("cuda", two_gpus()) == c10::Device(c10::kCUDA, 0));
  CHECK(choose_device("cuda:1", two_gpus()) == c10::Device(c10::kCUDA, 1));
  CHECK(choose_device("cpu", two_gpus()).is_cpu());
}

TEST_CASE("tensor cores are Volta's and newer GPUs', but not the small Turing chips'") {
  DeviceInfo device;
  device.kind = DeviceKind::kCuda;
  for (const auto& [capability, name, has] :
       {std::tuple("6.1", "NVIDIA GeForce GTX 1080", false), std::tuple("7.0", "Tesla V100", true),
        std::tuple("7.5", "Tesla T4", true), std::tuple("7.5", "NVIDIA GeForce GTX 1660 Ti", false),
        std::tuple("8.6", "NVIDIA GeForce RTX 3060", true),
        std::tuple("99.0", "unheard of", true)}) {
    CAPTURE(capability, name);
    device.compute_capability = capability;
    device.name = name;
    CHECK(has_tensor_cores(device) == has);
  }
  device.kind = DeviceKind::kCpu;
  CHECK_FALSE(has_tensor_cores(device));
}

TEST_CASE("a device that is not there is refused, and those that are there are listed") {
  for (const char* asked :
       {"cuda:2", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "cuda:99999999999999999999", "tpu"}) {
    try {
      static_cast<void>(choose_device(asked, two_gpus()));
      FAIL("accepted " << asked);
    } catch (const Error& error) {
      CHECK(std::string(error.what()).find("cuda:1 (H200)") != std::string::npos);
    }
  }
  CHECK_THROWS_AS(choose_device("cuda", {}), Error);
}

TEST_CASE("a worker that sees its own GPU alone takes that, and says which one is not there") {
  Cell cell;
  cell.device = "cuda:1";
  cell.device_in_worker = "cuda:0";
  CHECK(choose_device(cell, {two_gpus()[0]}, "") == c10::Device(c10::kCUDA, 0));
  CHECK_THROWS_WITH(choose_device(cell, {}, "the driver is a stub; take it away"),
                    "--device must be one that is here, but there is no cuda:1: the driver is a "
                    "stub; take it away; or name one of sdbench list devices, or leave "
                    "--device out");
  cell.device = "cpu:1";
  cell.device_in_worker = "cpu";
  CHECK(choose_device(cell, two_gpus(), "").is_cpu());
  cell.device_in_worker.clear(); // in a process of its own
  CHECK(choose_device(cell, two_gpus(), "").is_cpu());
}

TEST_CASE("bf16 and TF32 are native from Ampere on") {
  CHECK_FALSE(has_tf32(two_gpus()[0]));
  CHECK(has_tf32(two_gpus()[1]));
  CHECK_FALSE(has_bf16(two_gpus()[0]));
  CHECK(has_bf16(two_gpus()[1]));
}

TEST_CASE("auto dtype is fp16 on a GPU, bf16 on a CPU that has it, else fp32") {
  CHECK(choose_unet_dtype({}, true, true) == Dtype::kF16);
  CHECK(choose_unet_dtype({}, true, false) == Dtype::kF16);
  CHECK(choose_unet_dtype({}, false, true) == Dtype::kBF16);
  CHECK(choose_unet_dtype({}, false, false) == Dtype::kF32);
  CHECK(choose_unet_dtype(Dtype::kF32, true, true) == Dtype::kF32);
  CHECK(dtype_instead_of_fp16(true) == Dtype::kBF16);
  CHECK(dtype_instead_of_fp16(false) == Dtype::kF32);
}

TEST_CASE("SDXL's VAE never runs in fp16, SD1.5's in the model's dtype") {
  const auto xl = PipelineClass::kStableDiffusionXl;
  const auto sd = PipelineClass::kStableDiffusion;
  CHECK(choose_stage_dtypes(Dtype::kF16, xl, true).vae == Dtype::kBF16);
  CHECK(choose_stage_dtypes(Dtype::kF16, xl, false).vae == Dtype::kF32);
  CHECK(choose_stage_dtypes(Dtype::kBF16, xl, true).vae == Dtype::kBF16);
  CHECK(choose_stage_dtypes(Dtype::kF32, xl, true).vae == Dtype::kF32);
  CHECK(choose_stage_dtypes(Dtype::kF16, sd, true).vae == Dtype::kF16);
  CHECK(choose_stage_dtypes(Dtype::kF16, xl, true).text == Dtype::kF16);
}

TEST_CASE("autocast covers all stages, but for SDXL's VAE where it would overflow") {
  const auto xl = PipelineClass::kStableDiffusionXl;
  const auto sd = PipelineClass::kStableDiffusion;
  const Precision fp16(Dtype::kF16, true);
  const Precision bf16(Dtype::kBF16, true);
  CHECK(choose_unet_dtype(fp16, false, true) == fp16);
  CHECK(choose_stage_dtypes(fp16, sd, true).vae == fp16);
  CHECK(choose_stage_dtypes(fp16, sd, true).text == fp16);
  CHECK(choose_stage_dtypes(fp16, xl, true).unet == fp16);
  CHECK(choose_stage_dtypes(fp16, xl, true).vae == bf16);
  CHECK(choose_stage_dtypes(fp16, xl, false).vae == Dtype::kF32);
  CHECK(choose_stage_dtypes(bf16, xl, true).vae == bf16);
  CHECK(dtype_warnings({fp16, fp16, fp16}, false, true).size() == 1);
}

TEST_CASE("slow dtypes are warned about") {
  CHECK(dtype_warnings({Dtype::kF16, Dtype::kF16, Dtype::kF16}, false, true).size() == 1);
  CHECK(dtype_warnings({Dtype::kBF16, Dtype::kBF16, Dtype::kBF16}, true, false).size() == 1);
  CHECK(dtype_warnings({Dtype::kF16, Dtype::kF16, Dtype::kF16}, true, true).empty());
  CHECK(dtype_warnings({Dtype::kF32, Dtype::kF32, Dtype::kF32}, false, false).empty());
}

TEST_CASE("beside a slow dtype the one is named that the device is fast in") {
  const auto warning = [](Dtype dtype, bool on_gpu, bool device_has_bf16) {
    return dtype_warnings({dtype, dtype, dtype}, on_gpu, device_has_bf16).at(0);
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(warning(Dtype::kF16, false, true), ContainsSubstring("; --dtype bf16 is what"));
  CHECK_THAT(warning(Dtype::kF16, false, false), ContainsSubstring("; --dtype fp32 is what"));
  CHECK_THAT(warning(Dtype::kBF16, false, false), ContainsSubstring("; --dtype fp32 is what"));
  CHECK_THAT(warning(Dtype::kBF16, true, false), ContainsSubstring("; --dtype fp16 is what"));
}

TEST_CASE("the NVIDIA driver's version is found in its line") {
  CHECK(parse_nvidia_driver_version(
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 07:20:12 UTC "
            "2025\nGCC version:  gcc 12.2.0\n") == "580.65.06");
  CHECK(parse_nvidia_driver_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  "
                                    "570.86.15  Release Build\n") == "570.86.15");
  CHECK(parse_nvidia_driver_version("").empty());
}

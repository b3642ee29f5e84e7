#include "sdbench/engine/worker/dtype_choice.h"

#include "sdbench/base/types/dtype.h"

namespace sdbench {

Precision choose_unet_dtype(std::optional<Precision> asked, bool on_gpu, bool device_has_bf16) {
  if (asked) {
    return *asked;
  }
  return on_gpu ? Dtype::kF16 : dtype_instead_of_fp16(device_has_bf16);
}

Dtype dtype_instead_of_fp16(bool device_has_bf16) {
  return device_has_bf16 ? Dtype::kBF16 : Dtype::kF32;
}

DtypeChoice choose_stage_dtypes(Precision unet, PipelineClass pipeline, bool device_has_bf16) {
  DtypeChoice choice{unet, unet, unet};
  if (family_of(pipeline).vae_overflows_fp16 && unet.dtype == Dtype::kF16) {
    choice.vae = {dtype_instead_of_fp16(device_has_bf16), unet.autocast && device_has_bf16};
  }
  return choice;
}

std::vector<std::string> dtype_warnings(const DtypeChoice& choice, bool on_gpu,
                                        bool device_has_bf16) {
  std::vector<std::string> warnings;
  const std::string faster =
      "--dtype " + std::string(name_of(choose_unet_dtype({}, on_gpu, device_has_bf16)));
  if (!on_gpu && choice.unet.dtype == Dtype::kF16) {
    warnings.push_back("fp16 on a CPU is slower than fp32, on most of them hundreds of times; " +
                       faster + " is what this processor is fast in");
  }
  if (choice.unet.dtype == Dtype::kBF16 && !device_has_bf16) {
    warnings.push_back("this device has no bf16 arithmetic, or oneDNN may not use it, and "
                       "emulates it slowly; " +
                       faster + " is what it is fast in");
  }
  return warnings;
}

} // namespace sdbench

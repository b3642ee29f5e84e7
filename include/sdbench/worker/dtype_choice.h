#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/config/model_config.h"
#include "sdbench/core/dtype.h"

namespace sdbench {

/// The dtype of each stage.
struct DtypeChoice {
  Dtype text = Dtype::kF32;
  Dtype unet = Dtype::kF32;
  Dtype vae = Dtype::kF32;
};

/// The UNet's dtype: what was asked for, else fp16 on a GPU, bf16 on a CPU that has it, fp32 on any
/// other.
[[nodiscard]] Dtype choose_unet_dtype(std::optional<Dtype> asked, bool on_gpu,
                                      bool device_has_bf16);

/// The next dtype to try where fp16 gives values that are not finite (GTX 16xx).
[[nodiscard]] Dtype dtype_instead_of_fp16(bool device_has_bf16);

/// The other stages follow the UNet, but for SDXL's VAE, which overflows in fp16: bf16 where the
/// device has it, else fp32.
[[nodiscard]] DtypeChoice choose_stage_dtypes(Dtype unet, PipelineClass pipeline,
                                              bool device_has_bf16);

/// Warnings about a choice that the user should hear.
[[nodiscard]] std::vector<std::string> dtype_warnings(const DtypeChoice& choice, bool on_gpu,
                                                      bool device_has_bf16);

} // namespace sdbench

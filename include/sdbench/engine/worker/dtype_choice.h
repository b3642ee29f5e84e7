#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/types/precision.h"

namespace sdbench {

/// The precision of each stage.
struct DtypeChoice {
  Precision text;
  Precision unet;
  Precision vae;
};

/// The UNet's precision: `asked` if given. Otherwise fp16 on a GPU, bf16 on a CPU that has bf16,
/// and fp32 on any other CPU.
[[nodiscard]] Precision choose_unet_dtype(std::optional<Precision> asked, bool on_gpu,
                                          bool device_has_bf16);

/// The dtype to try if fp16 gives NaN or infinity, as on a GTX 16xx.
[[nodiscard]] Dtype dtype_instead_of_fp16(bool device_has_bf16);

/// All stages get the UNet's precision. The only exception is SDXL's VAE, which overflows in fp16:
/// if the UNet uses fp16, this VAE gets bf16 on a device that has bf16, else fp32. In bf16, this
/// VAE uses autocast if the UNet does.
[[nodiscard]] DtypeChoice choose_stage_dtypes(Precision unet, PipelineClass pipeline,
                                              bool device_has_bf16);

/// Warnings for the user about a slow choice, one line each.
[[nodiscard]] std::vector<std::string> dtype_warnings(const DtypeChoice& choice, bool on_gpu,
                                                      bool device_has_bf16);

} // namespace sdbench

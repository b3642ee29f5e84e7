#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/model_family.h"
#include "sdbench/base/types/precision.h"

namespace sdbench {

/// The precision of each stage.
struct DtypeChoice {
  Precision text;
  Precision unet;
  Precision vae;
};

/// The UNet's precision: the requested one, else fp16 on a GPU, bf16 on a CPU that has it, fp32 on
/// any other.
[[nodiscard]] Precision choose_unet_dtype(std::optional<Precision> asked, bool on_gpu,
                                          bool device_has_bf16);

/// A network's precision: the requested one, else fp32, where gradients are sure to be finite.
[[nodiscard]] Precision choose_network_dtype(std::optional<Precision> asked);

/// The next dtype to try if fp16 gives values that are not finite (GTX 16xx).
[[nodiscard]] Dtype dtype_instead_of_fp16(bool device_has_bf16);

/// The other stages follow the UNet, except a VAE that overflows in fp16 (SDXL's). It uses bf16 if
/// the device has it (with autocast if the UNet has it), else fp32.
[[nodiscard]] DtypeChoice choose_stage_dtypes(Precision unet, PipelineClass pipeline,
                                              bool device_has_bf16);

/// Warnings about a choice, for the user.
[[nodiscard]] std::vector<std::string> dtype_warnings(const DtypeChoice& choice, bool on_gpu,
                                                      bool device_has_bf16);

} // namespace sdbench

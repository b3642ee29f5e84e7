#pragma once

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// Largest allowed errors relative to golden values, which are diffusers' results in fp32. The
/// error is max|a - b| / max|b|, where b are the golden values.
struct GoldenBounds {
  /// Bound for the final latents.
  double latents = 0;
  /// Bound for the decoded image.
  double pixels = 0;
};

/// How a device rounds products and their sums.
struct ProductRounding {
  bool has_tf32 = false;          ///< fp32 products may use TF32
  bool fp16_accumulation = false; ///< products of fp16 numbers are summed in fp16
  bool on_cpu = false;
};

/// The bounds for a program that computes UNet and VAE in these dtypes. The measurements behind the
/// bounds are in docs/synthetic-weights.md.
[[nodiscard]] GoldenBounds golden_bounds(Dtype unet, Dtype vae, const ProductRounding& rounding);

/// The bound for max|a - b| / max|b|, where b are an image classifier's golden logits. The largest
/// measured errors are 0.011 in bf16 and 0.0017 in fp16 (docs/synthetic-weights.md).
[[nodiscard]] double golden_logits_bound(Dtype dtype, bool has_tf32, bool on_cpu);

/// Largest allowed difference between an external engine's final latents and those of engine
/// "plain" in the same dtype. The difference is relative: the L2 norm of the difference, divided by
/// the L2 norm of plain's latents. Rounding in fp32 causes a difference of 1e-5. In 16 bits,
/// programs round at different places: OpenVINO in bf16 differs by 0.12 after one step of
/// tiny-sd15. Unrelated latents differ by 1.4.
[[nodiscard]] double agreement_bound(Dtype dtype, bool has_tf32);

} // namespace sdbench

#pragma once

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// Largest error of a correct program against golden values, which are fp32: max|a - b| / max|b|.
struct GoldenBounds {
  double latents = 0;
  double pixels = 0;
};

/// The largest error of a correct program in these dtypes. `has_tf32`: fp32 may be TF32. See
/// docs/synthetic-weights.md for the measurements.
[[nodiscard]] GoldenBounds golden_bounds(Dtype unet, Dtype vae, bool has_tf32, bool on_cpu);

/// The same for a network's golden logits. The largest measured errors of all networks are 0.011 in
/// bf16 and 0.0017 in fp16 (docs/synthetic-weights.md).
[[nodiscard]] double golden_logits_bound(Dtype dtype, bool has_tf32, bool on_cpu);

/// Largest allowed difference of final latents from those of engine plain in the same dtype: the
/// root of the sum of squares of the difference, divided by that of plain's latents. In fp32,
/// rounding causes 1e-5. In 16 bits, programs round at different places: OpenVINO's bf16 causes
/// 0.12 in one step of tiny-sd15. Unrelated latents differ by 1.4.
[[nodiscard]] double agreement_bound(Dtype dtype, bool has_tf32);

} // namespace sdbench

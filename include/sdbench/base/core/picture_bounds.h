#pragma once

#include "sdbench/base/core/dtype.h"

namespace sdbench {

/// How far a correct program may be from golden values, which are fp32's: max|a - b| / max|b|.
struct GoldenBounds {
  double latents = 0;
  double pixels = 0;
};

/// The largest error of a correct program in these dtypes. `has_tf32`: fp32 may be TF32. See
/// docs/synthetic-weights.md for what was measured.
[[nodiscard]] GoldenBounds golden_bounds(Dtype unet, Dtype vae, bool has_tf32, bool on_cpu);

/// The same of a network's golden logits. Of all networks bf16 leaves at most 0.011, fp16 0.0017
/// (docs/synthetic-weights.md).
[[nodiscard]] double golden_logits_bound(Dtype dtype, bool has_tf32, bool on_cpu);

/// How far final latents may be from those of engine plain in the same dtype: root of the sum of
/// squares of the difference, by that of plain's. In fp32 rounding leaves 1e-5. In 16 bits programs
/// round in different places: OpenVINO's bf16 leaves 0.12 in one step of tiny-sd15. Unrelated
/// latents differ by 1.4.
[[nodiscard]] double agreement_bound(Dtype dtype, bool has_tf32);

} // namespace sdbench

#include "sdbench/base/weights/golden_bounds.h"

namespace sdbench {
namespace {

/// TF32 keeps as many bits of a factor as fp16.
Dtype as_precise_as(Dtype dtype, bool has_tf32) {
  return dtype == Dtype::kF32 && has_tf32 ? Dtype::kF16 : dtype;
}

/// A bound for each format.
struct Bounds {
  double f32;
  double f16;
  double bf16;
};

double bound_of(Dtype dtype, const Bounds& bounds) {
  return dtype == Dtype::kBF16 ? bounds.bf16 : dtype == Dtype::kF16 ? bounds.f16 : bounds.f32;
}

/// Bound of the latents if products are summed in fp16 (benchmarks/fp16_accumulation.py).
constexpr double kLatentsOfFp16Sums = 0.07;

/// cuDNN may choose Winograd's algorithm, which rounds more.
double fp32_bound(bool on_cpu) {
  return on_cpu ? 1e-4 : 1e-3;
}

} // namespace

/// Guidance multiplies the rounding of the UNet's two halves; the image has no such factor.
GoldenBounds golden_bounds(Dtype unet, Dtype vae, const ProductRounding& rounding) {
  const double fp32 = fp32_bound(rounding.on_cpu);
  GoldenBounds bounds = {.latents = bound_of(as_precise_as(unet, rounding.has_tf32),
                                             {.f32 = fp32, .f16 = 0.03, .bf16 = 0.2}),
                         .pixels = bound_of(as_precise_as(vae, rounding.has_tf32),
                                            {.f32 = fp32, .f16 = 0.015, .bf16 = 0.1})};
  if (rounding.fp16_accumulation && unet == Dtype::kF16) {
    bounds.latents = kLatentsOfFp16Sums;
  }
  return bounds;
}

double golden_logits_bound(Dtype dtype, bool has_tf32, bool on_cpu) {
  return bound_of(as_precise_as(dtype, has_tf32),
                  {.f32 = fp32_bound(on_cpu), .f16 = 0.01, .bf16 = 0.05});
}

double agreement_bound(Dtype dtype, bool has_tf32) {
  return bound_of(as_precise_as(dtype, has_tf32), {.f32 = 1e-3, .f16 = 0.05, .bf16 = 0.35});
}

} // namespace sdbench

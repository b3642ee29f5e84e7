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

/// cuDNN may choose Winograd's algorithm, which rounds more.
double fp32_bound(bool on_cpu) {
  return on_cpu ? 1e-4 : 1e-3;
}

} // namespace

/// Guidance multiplies the rounding of the UNet's two halves; the image has no such factor.
GoldenBounds golden_bounds(Dtype unet, Dtype vae, bool has_tf32, bool on_cpu) {
  return {.latents = bound_of(as_precise_as(unet, has_tf32),
                              {.f32 = fp32_bound(on_cpu), .f16 = 0.03, .bf16 = 0.2}),
          .pixels = bound_of(as_precise_as(vae, has_tf32),
                             {.f32 = fp32_bound(on_cpu), .f16 = 0.015, .bf16 = 0.1})};
}

double golden_logits_bound(Dtype dtype, bool has_tf32, bool on_cpu) {
  return bound_of(as_precise_as(dtype, has_tf32),
                  {.f32 = fp32_bound(on_cpu), .f16 = 0.01, .bf16 = 0.05});
}

double agreement_bound(Dtype dtype, bool has_tf32) {
  return bound_of(as_precise_as(dtype, has_tf32), {.f32 = 1e-3, .f16 = 0.05, .bf16 = 0.35});
}

} // namespace sdbench

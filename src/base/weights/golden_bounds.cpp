#include "sdbench/base/weights/golden_bounds.h"

namespace sdbench {
namespace {

/// TF32 keeps as many bits of a factor as fp16.
Dtype as_precise_as(Dtype dtype, bool has_tf32) {
  return dtype == Dtype::kF32 && has_tf32 ? Dtype::kF16 : dtype;
}

/// Guidance multiplies the rounding of the UNet's two halves; the image has no such factor.
GoldenBounds bounds_of(Dtype dtype, bool on_cpu) {
  switch (dtype) {
  case Dtype::kBF16:
    return {0.2, 0.1};
  case Dtype::kF16:
    return {0.03, 0.015};
  default: // cuDNN may choose Winograd's algorithm, which rounds more
    return on_cpu ? GoldenBounds{1e-4, 1e-4} : GoldenBounds{1e-3, 1e-3};
  }
}

/// A bound for each format.
struct Bounds {
  double f32;
  double f16;
  double bf16;
};

double bound_of(Dtype dtype, const Bounds& bounds) {
  switch (dtype) {
  case Dtype::kBF16:
    return bounds.bf16;
  case Dtype::kF16:
    return bounds.f16;
  default:
    return bounds.f32;
  }
}

} // namespace

GoldenBounds golden_bounds(Dtype unet, Dtype vae, bool has_tf32, bool on_cpu) {
  return {bounds_of(as_precise_as(unet, has_tf32), on_cpu).latents,
          bounds_of(as_precise_as(vae, has_tf32), on_cpu).pixels};
}

double golden_logits_bound(Dtype dtype, bool has_tf32, bool on_cpu) {
  return bound_of(as_precise_as(dtype, has_tf32),
                  {.f32 = bounds_of(Dtype::kF32, on_cpu).pixels, .f16 = 0.01, .bf16 = 0.05});
}

double agreement_bound(Dtype dtype, bool has_tf32) {
  return bound_of(as_precise_as(dtype, has_tf32), {.f32 = 1e-3, .f16 = 0.05, .bf16 = 0.35});
}

} // namespace sdbench

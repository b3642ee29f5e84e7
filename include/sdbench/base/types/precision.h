#pragma once

#include <optional>
#include <string_view>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// How a stage computes: weights and arithmetic in `dtype`; or, with autocast, weights in fp32,
/// while libtorch chooses fp32 or `dtype` for each operator, like torch.autocast.
struct Precision {
  Dtype dtype = Dtype::kF32;
  bool autocast = false;

  constexpr Precision() = default;
  /// Implicit: a plain dtype is a precision. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Precision(Dtype plain, bool with_autocast = false)
      : dtype(plain), autocast(with_autocast) {}
  [[nodiscard]] constexpr Dtype weight_dtype() const { return autocast ? Dtype::kF32 : dtype; }

  friend constexpr bool operator==(const Precision&, const Precision&) = default;
};

/// Name on the command line and in records: "fp16", "autocast-fp16", ….
[[nodiscard]] std::string_view name_of(Precision precision);

/// Empty without a precision.
[[nodiscard]] std::string_view name_of(const std::optional<Precision>& precision);

/// Inverse of name_of for the choices of --dtype: fp32, fp16, bf16, autocast-fp16, autocast-bf16.
[[nodiscard]] std::optional<Precision> precision_from_name(std::string_view name);

} // namespace sdbench

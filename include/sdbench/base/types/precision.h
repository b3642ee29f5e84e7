#pragma once

#include <optional>
#include <string_view>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// The number format of a stage's computation. Without autocast, weights and arithmetic have the
/// type `dtype`. With autocast, weights are fp32, and libtorch chooses fp32 or `dtype` for each
/// operator, as torch.autocast does.
struct Precision {
  Dtype dtype = Dtype::kF32;
  bool autocast = false;

  constexpr Precision() = default;
  /// Implicit: a Dtype can stand for a Precision. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Precision(Dtype plain, bool with_autocast = false)
      : dtype(plain), autocast(with_autocast) {}
  [[nodiscard]] constexpr Dtype weight_dtype() const { return autocast ? Dtype::kF32 : dtype; }

  friend constexpr bool operator==(const Precision&, const Precision&) = default;
};

/// The precision's name on the command line and in records: "fp16", "autocast-fp16", ….
[[nodiscard]] std::string_view name_of(Precision precision);

/// The name of an optional precision; empty for nullopt.
[[nodiscard]] std::string_view name_of(const std::optional<Precision>& precision);

/// The inverse of name_of for the values of --dtype: fp32, fp16, bf16, autocast-fp16,
/// autocast-bf16. nullopt for other names.
[[nodiscard]] std::optional<Precision> precision_from_name(std::string_view name);

} // namespace sdbench

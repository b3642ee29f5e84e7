#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sdbench {

/// Element types of weights and of computations. Weights in 8-bit floats are loaded and converted
/// to a wider type, but nothing is computed in 8 bits. Tensors of kF8E8M0 (powers of two that scale
/// other elements) and of kOther (any type not listed) cannot be loaded; kF8E8M0 is listed so that
/// errors can name it.
enum class Dtype {
  kF64,
  kF32,
  kF16,
  kBF16,
  kF8E4M3,
  kF8E5M2,
  kF8E8M0,
  kI64,
  kI32,
  kI16,
  kI8,
  kU8,
  kBool,
  kOther
};

/// Size of one element in bytes; 0 for kOther.
[[nodiscard]] std::size_t size_of(Dtype dtype);

/// The type's name on the command line and in records: "fp32", "fp16", "bf16", "fp64", "fp8_e4m3",
/// "int64", ….
[[nodiscard]] std::string_view name_of(Dtype dtype);

/// True for the floating-point types that sdbench can load.
[[nodiscard]] bool is_floating(Dtype dtype);

/// The inverse of name_of for types of computations: fp32, fp16 and bf16. nullopt for other names.
[[nodiscard]] std::optional<Dtype> compute_dtype_from_name(std::string_view name);

/// The type with that name in a safetensors header: "F32", "F16", "BF16", "I64", …. nullopt for
/// unknown names.
[[nodiscard]] std::optional<Dtype> dtype_from_safetensors(std::string_view name);
/// The type's name in a safetensors header.
[[nodiscard]] std::string_view safetensors_name(Dtype dtype);

} // namespace sdbench

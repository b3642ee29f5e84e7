#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sdbench {

/// Element types of weights and computation. The 8-bit floats are read and widened, but never used
/// for computing. F8_E8M0, a power of two that scales other elements, is known only by name. kOther
/// is any type that is not read.
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

/// Bytes of one element; 0 for kOther.
[[nodiscard]] std::size_t size_of(Dtype dtype);

/// Name on the command line and in records: "fp32", "fp16", "bf16", "fp64", "fp8_e4m3", "int64", ….
[[nodiscard]] std::string_view name_of(Dtype dtype);

/// True for floating-point types that are read.
[[nodiscard]] bool is_floating(Dtype dtype);

/// Inverse of name_of for the dtypes of computations: fp32, fp16, bf16.
[[nodiscard]] std::optional<Dtype> compute_dtype_from_name(std::string_view name);

/// Name in a safetensors header: "F32", "F16", "BF16", "I64", …. Unknown names give nullopt.
[[nodiscard]] std::optional<Dtype> dtype_from_safetensors(std::string_view name);
[[nodiscard]] std::string_view safetensors_name(Dtype dtype);

} // namespace sdbench

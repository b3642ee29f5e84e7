#include "sdbench/base/types/dtype.h"

#include <algorithm>
#include <array>

namespace sdbench {
namespace {

struct Row {
  Dtype dtype;
  std::size_t bytes;
  std::string_view name;
  std::string_view safetensors;
  bool is_floating;
};

constexpr std::array kRows{
    Row{Dtype::kF64, 8, "fp64", "F64", true},
    Row{Dtype::kF32, 4, "fp32", "F32", true},
    Row{Dtype::kF16, 2, "fp16", "F16", true},
    Row{Dtype::kBF16, 2, "bf16", "BF16", true},
    Row{Dtype::kF8E4M3, 1, "fp8_e4m3", "F8_E4M3", true},
    Row{Dtype::kF8E5M2, 1, "fp8_e5m2", "F8_E5M2", true},
    Row{Dtype::kF8E8M0, 1, "fp8_e8m0", "F8_E8M0", false},
    Row{Dtype::kI64, 8, "int64", "I64", false},
    Row{Dtype::kI32, 4, "int32", "I32", false},
    Row{Dtype::kI16, 2, "int16", "I16", false},
    Row{Dtype::kI8, 1, "int8", "I8", false},
    Row{Dtype::kU8, 1, "uint8", "U8", false},
    Row{Dtype::kBool, 1, "bool", "BOOL", false},
    Row{Dtype::kOther, 0, "another", "", false},
};

const Row& row_of(Dtype dtype) {
  return *std::ranges::find(kRows, dtype, &Row::dtype);
}

} // namespace

std::size_t size_of(Dtype dtype) {
  return row_of(dtype).bytes;
}

std::string_view name_of(Dtype dtype) {
  return row_of(dtype).name;
}

std::string_view safetensors_name(Dtype dtype) {
  return row_of(dtype).safetensors;
}

bool is_floating(Dtype dtype) {
  return row_of(dtype).is_floating;
}

std::optional<Dtype> compute_dtype_from_name(std::string_view name) {
  for (const Dtype dtype : {Dtype::kF32, Dtype::kF16, Dtype::kBF16}) {
    if (name == name_of(dtype)) {
      return dtype;
    }
  }
  return std::nullopt;
}

std::optional<Dtype> dtype_from_safetensors(std::string_view name) {
  const auto* const row = std::ranges::find(kRows, name, &Row::safetensors);
  return row == kRows.end() || row->dtype == Dtype::kOther ? std::nullopt
                                                           : std::optional(row->dtype);
}

} // namespace sdbench

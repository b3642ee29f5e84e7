#include "sdbench/base/types/precision.h"

#include <array>

namespace sdbench {
namespace {

struct AutocastName {
  Precision precision;
  std::string_view name;
};

constexpr std::array kAutocast{
    AutocastName{{Dtype::kF16, true}, "autocast-fp16"},
    AutocastName{{Dtype::kBF16, true}, "autocast-bf16"},
};

} // namespace

std::string_view name_of(Precision precision) {
  for (const AutocastName& row : kAutocast) {
    if (row.precision == precision) {
      return row.name;
    }
  }
  return name_of(precision.dtype);
}

std::string_view name_of(const std::optional<Precision>& precision) {
  return precision ? name_of(*precision) : std::string_view();
}

std::optional<Precision> precision_from_name(std::string_view name) {
  for (const AutocastName& row : kAutocast) {
    if (row.name == name) {
      return row.precision;
    }
  }
  const std::optional<Dtype> plain = compute_dtype_from_name(name);
  return plain ? std::optional<Precision>(*plain) : std::nullopt;
}

} // namespace sdbench

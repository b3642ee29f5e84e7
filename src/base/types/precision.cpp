#include "sdbench/base/types/precision.h"

#include "sdbench/base/text/named.h"

namespace sdbench {
namespace {

constexpr Named<Precision> kAutocast[] = {
    {{Dtype::kF16, true}, "autocast-fp16"},
    {{Dtype::kBF16, true}, "autocast-bf16"},
};

} // namespace

std::string_view name_of(Precision precision) {
  const std::string_view name = name_in(kAutocast, precision);
  return name.empty() ? name_of(precision.dtype) : name;
}

std::string_view name_of(const std::optional<Precision>& precision) {
  return precision ? name_of(*precision) : std::string_view();
}

std::optional<Precision> precision_from_name(std::string_view name) {
  const std::optional<Precision> autocast = value_named(kAutocast, name);
  return autocast ? autocast : compute_dtype_from_name(name);
}

} // namespace sdbench

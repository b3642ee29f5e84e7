#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/record/field_name.h"

namespace sdbench {

/// A field in which two rows may differ, and why that changes speed.
struct LikelyCause {
  FieldName field;
  std::string_view reason;
  /// Numbers closer than this part of the larger one explain nothing: sensors never repeat.
  double least_difference = 0;
};

/// The text of a field as it is compared: rows without a task all generated.
[[nodiscard]] std::string compared_text(FieldName field, std::string text);

/// The most likely first.
[[nodiscard]] std::span<const LikelyCause> likely_causes();

} // namespace sdbench

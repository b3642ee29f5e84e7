#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sdbench/front/record/field_name.h"

namespace sdbench {

/// A field in which two rows may differ, and why that changes speed.
struct LikelyCause {
  FieldName field;
  std::string_view reason;
  /// Two numbers count as equal if they differ by at most this fraction of the larger one, because
  /// sensor readings never repeat exactly.
  double least_difference = 0;
};

/// The field's text in the form in which two rows are compared. An empty task becomes generate,
/// because rows that lack the field generated images.
[[nodiscard]] std::string compared_text(FieldName field, std::string text);

/// All causes, the most likely first.
[[nodiscard]] std::span<const LikelyCause> likely_causes();

} // namespace sdbench

#pragma once

#include <cstddef>

#include "sdbench/base/record/cell_value.h"

namespace sdbench {

/// A value of a row: the place of its field among record_fields(), and its text as field_text()
/// writes it. A number is there for fields of numbers alone, an integer for those of integers, too.
struct FieldValue {
  std::size_t field = 0;
  CellValue value;
};

} // namespace sdbench

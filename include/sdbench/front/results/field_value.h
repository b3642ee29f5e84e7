#pragma once

#include <cstddef>

#include "sdbench/front/record/cell_value.h"

namespace sdbench {

/// A value of a row: the place of its field among record_fields(), and its text as field_text()
/// writes it. Only fields of numbers have a number, and only those of integers also an integer.
struct FieldValue {
  std::size_t field = 0;
  CellValue value;
};

} // namespace sdbench

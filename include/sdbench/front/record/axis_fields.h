#pragma once

#include <vector>

#include "sdbench/front/record/field_name.h"

namespace sdbench {

/// The fields that hold what was asked for on each axis of the engine, in the order of
/// engine_axes().
[[nodiscard]] std::vector<FieldName> fields_of_axes();

} // namespace sdbench

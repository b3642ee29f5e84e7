#include "sdbench/front/record/axis_fields.h"

#include <algorithm>
#include <iterator>

#include "sdbench/base/config/engine_axes.h"

namespace sdbench {

std::vector<FieldName> fields_of_axes() {
  std::vector<FieldName> fields;
  std::ranges::transform(axis_names(), std::back_inserter(fields), FieldName::of);
  return fields;
}

} // namespace sdbench

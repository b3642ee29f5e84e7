#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "sdbench/base/config/work_field_table.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// For each entry of kWorkFields, in the same order, the name of its field in the record.
inline constexpr std::array kWorkFieldNames = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array{FieldName(kWorkFields[I].name)...};
}
(std::make_index_sequence<std::size(kWorkFields)>());

[[nodiscard]] constexpr FieldName record_field(const WorkField& field) {
  return kWorkFieldNames[static_cast<std::size_t>(&field - std::begin(kWorkFields))];
}

/// The record's value of the work field `field`, as text.
[[nodiscard]] std::string said_text(const RunRecord& record, const WorkField& field);

} // namespace sdbench

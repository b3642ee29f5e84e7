#include "sdbench/record/record_csv.h"

#include <string_view>
#include <vector>

#include "sdbench/core/escape.h"
#include "sdbench/record/csv_text.h"
#include "sdbench/record/field_name.h"
#include "sdbench/record/record_fields.h"

namespace sdbench {
namespace {

/// A line of what `cell_of` gives for each field but the one of this name.
template <typename CellOf>
std::string line_without(std::string_view left_out, const CellOf& cell_of) {
  std::vector<std::string> cells;
  for (const RecordField& field : record_fields()) {
    if (field.name != left_out) {
      cells.push_back(cell_of(field));
    }
  }
  return csv_line(cells);
}

std::string header_without(std::string_view left_out) {
  return line_without(left_out, [](const RecordField& field) { return std::string(field.name); });
}

std::string row_without(std::string_view left_out, const RunRecord& record) {
  return line_without(left_out, [&](const RecordField& field) {
    const std::string text = field_text(record, field);
    return type_name(field) == "text" ? csv_text(escape_text(text)) : text;
  });
}

constexpr FieldName kUnknownBefore = "runtime_version";

} // namespace

std::string csv_header() {
  return header_without("");
}

std::string to_csv_row(const RunRecord& record) {
  return row_without("", record);
}

std::string csv_header_of_before() {
  return header_without(kUnknownBefore);
}

std::string to_csv_row_of_before(const RunRecord& record) {
  return row_without(kUnknownBefore, record);
}

} // namespace sdbench

#include "sdbench/front/record/record_csv.h"

#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_field.h"

namespace sdbench {
namespace {

/// A line with `cell_of(field)` for each field.
template <typename CellOf>
std::string line_of(const CellOf& cell_of) {
  return csv_line(mapped(record_fields(), cell_of));
}

} // namespace

std::string csv_header() {
  return line_of([](const RecordField& field) { return std::string(field.name); });
}

std::string to_csv_row(const RunRecord& record) {
  return line_of([&](const RecordField& field) {
    const std::string text = field_text(record, field);
    return type_name(field) == "text" ? csv_text(escape_text(text)) : text;
  });
}

} // namespace sdbench

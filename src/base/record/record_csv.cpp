#include "sdbench/base/record/record_csv.h"

#include <string>
#include <vector>

#include "sdbench/base/core/escape.h"
#include "sdbench/base/record/csv_text.h"
#include "sdbench/base/record/record_fields.h"

namespace sdbench {
namespace {

/// Whether it writes the fields that files of before do not have.
enum class Columns { kToday, kBefore };

/// A line of what `cell_of` gives for each field.
template <typename CellOf>
std::string line_of(Columns columns, const CellOf& cell_of) {
  std::vector<std::string> cells;
  for (const RecordField& field : record_fields()) {
    if (columns == Columns::kToday || !came_later(field)) {
      cells.push_back(cell_of(field));
    }
  }
  return csv_line(cells);
}

std::string header_of(Columns columns) {
  return line_of(columns, [](const RecordField& field) { return std::string(field.name); });
}

std::string row_of(Columns columns, const RunRecord& record) {
  return line_of(columns, [&](const RecordField& field) {
    const std::string text = field_text(record, field);
    return type_name(field) == "text" ? csv_text(escape_text(text)) : text;
  });
}

} // namespace

std::string csv_header() {
  return header_of(Columns::kToday);
}

std::string to_csv_row(const RunRecord& record) {
  return row_of(Columns::kToday, record);
}

std::string csv_header_of_before() {
  return header_of(Columns::kBefore);
}

std::string to_csv_row_of_before(const RunRecord& record) {
  return row_of(Columns::kBefore, record);
}

} // namespace sdbench

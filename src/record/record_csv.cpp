#include "sdbench/record/record_csv.h"

#include <vector>

#include "sdbench/core/escape.h"
#include "sdbench/record/csv_text.h"
#include "sdbench/record/record_fields.h"

namespace sdbench {

std::string csv_header() {
  std::vector<std::string> names;
  for (const RecordField& field : record_fields()) {
    names.emplace_back(field.name);
  }
  return csv_line(names);
}

std::string to_csv_row(const RunRecord& record) {
  std::vector<std::string> fields;
  for (const RecordField& field : record_fields()) {
    const std::string text = field_text(record, field);
    fields.push_back(type_name(field) == "text" ? csv_text(escape_text(text)) : text);
  }
  return csv_line(fields);
}

} // namespace sdbench

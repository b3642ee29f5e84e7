#include "sdbench/record/record_csv.h"

#include <algorithm>
#include <iterator>

#include "sdbench/core/error.h"
#include "sdbench/core/escape.h"
#include "sdbench/record/csv_text.h"
#include "sdbench/record/old_ids.h"
#include "sdbench/record/record_fields.h"

namespace sdbench {
namespace {

const RecordField* known_field(std::string_view name) {
  const auto place = find_field(name);
  return place ? &record_fields()[*place] : nullptr;
}

RunRecord record_from_row(const std::vector<const RecordField*>& columns,
                          const std::vector<std::string>& row) {
  if (row.size() != columns.size()) {
    throw Error("must have " + std::to_string(columns.size()) + " fields, but has " +
                std::to_string(row.size()));
  }
  RunRecord record;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (columns[i] != nullptr) {
      const bool is_text = type_name(*columns[i]) == "text";
      set_field_text(record, *columns[i], is_text ? unescape_text(row[i]) : row[i]);
    }
  }
  check_schema_version(record.schema_version);
  renew_ids(record);
  return record;
}

} // namespace

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

std::vector<RunRecord> records_from_csv(std::string_view text, const std::string& origin) {
  std::vector<RunRecord> records;
  std::vector<const RecordField*> columns;
  std::size_t row_number = 0;
  try {
    for (const auto& row : parse_csv(text)) {
      ++row_number;
      if (row_number == 1) {
        std::ranges::transform(row, std::back_inserter(columns), known_field);
      } else {
        records.push_back(record_from_row(columns, row));
      }
    }
  } catch (const Error& error) {
    throw Error(origin + (row_number == 0 ? ", " : ", row " + std::to_string(row_number) + ": ") +
                error.what());
  }
  return records;
}

} // namespace sdbench

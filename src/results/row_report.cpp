#include "sdbench/results/row_report.h"

#include <utility>

#include "sdbench/core/in_quotes.h"
#include "sdbench/core/number_text.h"
#include "sdbench/core/status.h"
#include "sdbench/record/record_fields.h"
#include "sdbench/results/result_table.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostNamed = 100; ///< of a file

/// Without these a row can neither be told from others nor be judged.
void check_outcome(std::string_view run_id, std::string_view status) {
  if (run_id.empty()) {
    throw FieldError("run_id", "must name the row, but is empty");
  }
  if (!status_from_name(status)) {
    throw FieldError("status", "must be ok or the name of a failure, but is " + in_quotes(status));
  }
}

} // namespace

std::string BadRow::text() const {
  const bool is_database = file.extension() == ".db" || file.extension() == ".sqlite";
  return file.string() +
         (line > 0 ? (is_database ? ", row " : ", line ") + std::to_string(line) : "") +
         (column.empty() ? "" : ", column " + column) + ": " + reason;
}

template <typename Add>
void RowReport::try_add(std::size_t line, const Add& add) {
  try {
    add();
    ours_ = true;
  } catch (const FieldError& error) {
    bad(line, error.reason(), error.field());
  }
}

void RowReport::add(std::span<const FieldText> row, RawTimes raw, std::size_t line) {
  static const std::size_t run_id_field = field_index("run_id");
  static const std::size_t status_field = field_index("status");
  static const std::size_t version_field = field_index("schema_version");
  try_add(line, [&] {
    std::string_view run_id;
    std::string_view status;
    for (const FieldText& value : row) {
      run_id = value.field == run_id_field ? value.text : run_id;
      status = value.field == status_field ? value.text : status;
      if (value.field == version_field) {
        // What is no number at all is said by the target.
        check_schema_version(parse_integer(value.text).value_or(kSchemaVersion));
      }
    }
    check_outcome(run_id, status);
    target_.add(row, std::move(raw), line);
  });
}

void RowReport::add(RunRecord record, std::size_t line) {
  try_add(line, [&] {
    check_outcome(record.run_id, record.status);
    target_.add(std::move(record), line);
  });
}

void RowReport::bad(std::size_t line, std::string reason, std::string column) {
  if (bad_.size() < kMostNamed) {
    bad_.push_back({file_, line, std::move(column), std::move(reason)});
  } else {
    ++unnamed_;
  }
}

std::vector<BadRow> RowReport::take_bad() {
  if (unnamed_ > 0) {
    bad_.push_back({file_, 0, "", std::to_string(unnamed_) + " more of its rows cannot be read"});
    unnamed_ = 0;
  }
  return std::exchange(bad_, {});
}

} // namespace sdbench

#include "sdbench/front/results/row_report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <variant>

#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_unit_table.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/results/row_contradiction.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostNamed = 100; ///< per file
constexpr std::size_t kMostDoubts = 20; ///< per file

/// Throws FieldError for a row that cannot be identified or judged.
void check_outcome(std::string_view run_id, std::string_view status) {
  if (run_id.empty()) {
    throw FieldError("run_id", "must name the row, but is empty");
  }
  if (!status_from_name(status)) {
    throw FieldError("status", "must be ok or the name of a failure, but is " + in_quotes(status));
  }
}

/// A field whose words this program must know: a row with an unknown one cannot be compared.
struct KnownWords {
  FieldName field;
  bool (*is_one)(std::string_view text);
  std::string (*words)(); ///< "a, b or c"
};

bool is_task_field(std::string_view text) {
  return text.empty() || task_named(text).has_value();
}

bool is_sampler_field(std::string_view text) {
  return text.empty() ||
         std::ranges::find(kSamplers, text, &SamplerRow::name) != std::end(kSamplers);
}

bool is_noise_levels_field(std::string_view text) {
  return text.empty() || text == kTrainingLevels || text == kKarrasLevels;
}

constexpr KnownWords kKnownWords[] = {
    {"task", is_task_field,
     [] { return listed(mapped<std::string>(task_table(), &TaskRow::name)); }},
    {"scheduler", is_sampler_field, [] { return listed(sampler_names()); }},
    {"noise_levels", is_noise_levels_field,
     [] {
       return listed({std::string(kTrainingLevels), std::string(kKarrasLevels)}, "or");
     }},
    {"device_kind", is_device_kind_field,
     [] { return listed(kind_words()) + ", or several of them joined by +"; }}};

/// The known words by a field's place; null if a field may have any words.
const std::vector<const KnownWords*>& known_words() {
  static const auto fields = [] {
    std::vector<const KnownWords*> all(record_fields().size(), nullptr);
    for (const KnownWords& known : kKnownWords) {
      all[known.field.place()] = &known;
    }
    return all;
  }();
  return fields;
}

void check_words(const KnownWords& known, std::string_view text) {
  if (!known.is_one(text)) {
    throw FieldError(known.field.text(), "must be " + known.words() + ", but is " +
                                             in_quotes(text) + "; read it with a newer sdbench");
  }
}

/// Amounts of time, memory, energy and the like, rates, and counts. A temperature or a trend may be
/// below zero.
bool is_amount(const RecordField& field) {
  return field_unit(field.unit).is_amount || field.name == "repeat" ||
         std::ranges::any_of(kWorkFields, [&](const WorkField& work) {
           return work.name == field.name &&
                  std::holds_alternative<std::int64_t CellWork::*>(work.member);
         });
}

const std::vector<bool>& amounts() {
  static const auto fields = mapped(record_fields(), is_amount);
  return fields;
}

[[noreturn]] void refuse_negative(std::size_t field, std::string_view text) {
  throw FieldError(record_fields()[field].name, "must not be negative, but is " + in_quotes(text));
}

template <typename T>
bool is_negative(const T& value) {
  if constexpr (requires { *value < 0; }) {
    return value && *value < 0; // an empty optional compares as less than any number
  } else if constexpr (std::is_arithmetic_v<T>) {
    return value < 0;
  }
  return false;
}

bool is_negative(const CellValue& value) {
  return value.kind == CellValue::Kind::kText ? value.text.starts_with('-')
                                              : std::signbit(value.number);
}

void check_amounts(const RunRecord& record) {
  for (std::size_t field = 0; field < amounts().size(); ++field) {
    if (amounts()[field]) {
      std::visit(
          [&](auto member) {
            if (is_negative(record.*member)) {
              refuse_negative(field, field_text(record, record_fields()[field]));
            }
          },
          record_fields()[field].member);
    }
  }
}

} // namespace

RunRecord record_of_row(std::span<const FieldValue> row, RawTimes raw) {
  RunRecord record;
  for (const auto& [field, value] : row) {
    set_field_text(record, record_fields()[field], value.as_text());
  }
  put_raw_times(record, std::move(raw));
  return record;
}

void check_same_fact(FieldName field, std::string_view earlier, std::string_view later) {
  if (!earlier.empty() && !later.empty() && earlier != later) {
    throw FieldError(
        "run_id", "must name a single run, but an earlier row with the same run_id has another " +
                      std::string(field.text()) + " (" + in_quotes(earlier) + ", here " +
                      in_quotes(later) + "); the earlier row is kept");
  }
}

std::string BadRow::text() const {
  return file.string() +
         (line > 0 ? (is_database_of_records(file) ? ", row " : ", line ") + std::to_string(line)
                   : "") +
         (column.empty() ? "" : ", column " + column) + ": " + reason;
}

/// Throws FieldError for a bad row.
void RowReport::give(std::span<const FieldValue> row, RawTimes raw, std::size_t line) {
  for (const auto& [field, value] : row) { // first: other versions have different words and types
    if (field == field_index("schema_version")) {
      // The target refuses a text that is not a number.
      check_schema_version(parse_integer(value.as_text()).value_or(kSchemaVersion));
    }
  }
  std::string_view run_id;
  std::string_view status;
  std::string_view flags;
  for (const auto& [field, value] : row) {
    flags = field == field_index("flags") ? value.text : flags;
    run_id = field == field_index("run_id") ? value.text : run_id;
    status = field == field_index("status") ? value.text : status;
    if (is_negative(value) && amounts()[field]) {
      refuse_negative(field, value.as_text());
    }
    if (const KnownWords* const known = known_words()[field]; known != nullptr) {
      check_words(*known, value.as_text());
    }
  }
  check_outcome(run_id, status);
  const std::string found = contradiction_of(row, raw);
  if (found.empty()) {
    target_.add(row, std::move(raw), line);
  } else {
    const std::string told = with_flag(flags, kContradicts);
    target_.add(flagged(row, told), std::move(raw), line);
    doubt(line, "contradicts itself: " + found);
  }
  ours_ = true;
}

std::span<const FieldValue> RowReport::flagged(std::span<const FieldValue> row,
                                               std::string_view flags) {
  row_.assign(row.begin(), row.end());
  row_.push_back({field_index("flags"), CellValue(flags)}); // overrides the row's own flags
  return row_;
}

void RowReport::add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) {
  try {
    give(row, std::move(raw), line);
  } catch (const FieldError& error) {
    bad(line, error.reason(), error.field());
  }
}

bool RowReport::try_add(std::span<const FieldValue> row, RawTimes raw, std::size_t line) {
  try {
    give(row, std::move(raw), line);
    return true;
  } catch (const FieldError&) {
    return false;
  }
}

void RowReport::add(RunRecord record, std::size_t line) {
  try {
    check_outcome(record.run_id, record.status);
    for (const KnownWords& known : kKnownWords) {
      check_words(known, field_text(record, field_named(known.field)));
    }
    check_amounts(record);
    const std::string found = contradiction_of(record);
    if (!found.empty()) {
      add_flag(record, kContradicts);
    }
    target_.add(std::move(record), line);
    ours_ = true;
    if (!found.empty()) {
      doubt(line, "contradicts itself: " + found);
    }
  } catch (const FieldError& error) {
    bad(line, error.reason(), error.field());
  }
}

void RowReport::bad(std::size_t line, std::string reason, std::string column) {
  last_bad_line_ = line;
  const bool is_told = column == "schema_version" && !bad_.empty() &&
                       bad_.back().column == column && bad_.back().reason == reason;
  if (!is_told && bad_.size() < kMostNamed) {
    bad_.push_back({file_, line, std::move(column), std::move(reason)});
  } else {
    ++unnamed_;
  }
}

void RowReport::doubt(std::size_t line, std::string reason) {
  if (line != last_bad_line_ && doubtful_.size() < kMostDoubts) {
    doubtful_.push_back({file_, line, "", std::move(reason)});
  } else if (line != last_bad_line_) {
    ++unnamed_doubts_;
  }
}

std::vector<BadRow> RowReport::take_doubtful() {
  if (const std::size_t more = std::exchange(unnamed_doubts_, 0); more > 0) {
    doubtful_.push_back({file_, 0, "", std::to_string(more) + " more of its rows are doubtful"});
  }
  return std::exchange(doubtful_, {});
}

std::vector<BadRow> RowReport::take_bad() {
  if (unnamed_ > 0) {
    bad_.push_back({file_, 0, "", std::to_string(unnamed_) + " more of its rows cannot be read"});
    unnamed_ = 0;
  }
  return std::exchange(bad_, {});
}

} // namespace sdbench

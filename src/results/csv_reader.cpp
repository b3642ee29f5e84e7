#include "sdbench/results/csv_reader.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>

#include "sdbench/core/escape.h"
#include "sdbench/core/utf8.h"
#include "sdbench/record/record_fields.h"
#include "sdbench/results/csv_rows.h"
#include "sdbench/results/result_table.h"

namespace sdbench {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

std::size_t known_field(std::string_view name) {
  const auto fields = record_fields();
  const auto found = std::ranges::find(fields, name, &RecordField::name);
  return found == fields.end() ? kUnknown : static_cast<std::size_t>(found - fields.begin());
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return static_cast<signed char>(byte) >= 0; });
}

class CsvReader {
public:
  CsvReader(ByteWindow& window, RowReport& report) : rows_(window), report_(report) {
    for (const RecordField& field : record_fields()) {
      is_text_.push_back(type_name(field) == "text");
    }
  }

  void read() {
    for (;;) {
      switch (rows_.next()) {
      case CsvRows::Next::kRow:
        take_row();
        break;
      case CsvRows::Next::kBroken:
        report_.bad(rows_.line(), rows_.reason());
        break;
      case CsvRows::Next::kEnd:
        return;
      }
    }
  }

private:
  void take_row() {
    // A field is never its own name, so a header is seen wherever it comes.
    const bool fits = columns_.size() == rows_.fields().size();
    if ((!fits || rows_.fields()[version_] == "schema_version") && is_header()) {
      take_header();
    } else if (columns_.empty()) {
      if (!std::exchange(header_missed_, true)) {
        report_.bad(rows_.line(), "must be a header that names the columns, schema_version and "
                                  "run_id among them, but is not; what is above a header is left "
                                  "out");
      }
    } else if (!fits) {
      report_.bad(rows_.line(), "must have " + std::to_string(columns_.size()) +
                                    " fields, as its header, but has " +
                                    std::to_string(rows_.fields().size()));
    } else {
      take_values();
    }
  }

  [[nodiscard]] bool is_header() const {
    const auto names = [&](std::string_view name) {
      return std::ranges::find(rows_.fields(), name) != rows_.fields().end();
    };
    return names("schema_version") && names("run_id");
  }

  void take_header() {
    report_.has_our_form();
    columns_.clear();
    std::set<std::size_t> seen;
    for (const std::string_view name : rows_.fields()) {
      std::size_t field = known_field(name);
      if (field != kUnknown && !seen.insert(field).second) {
        report_.bad(rows_.line(), "must be named once; of two columns the first is read",
                    std::string(name));
        field = kUnknown;
      }
      version_ = name == "schema_version" ? columns_.size() : version_;
      columns_.push_back(field);
    }
    take_defaults(seen);
  }

  /// An earlier version's rows lack fields; those that cannot be absent are as in an empty record.
  void take_defaults(const std::set<std::size_t>& seen) {
    default_texts_.clear();
    defaults_.clear();
    const RunRecord empty;
    for (std::size_t field = 0; field < record_fields().size(); ++field) {
      if (!seen.contains(field) && !is_optional(record_fields()[field]) && !is_text_[field]) {
        defaults_.push_back(
            {field, default_texts_.emplace_back(field_text(empty, record_fields()[field]))});
      }
    }
  }

  void take_values() {
    values_ = defaults_;
    unescaped_.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t field = columns_[i];
      std::string_view text = rows_.fields()[i];
      if (field == kUnknown) {
        continue;
      }
      if (is_text_[field] && !is_ascii(text) && to_valid_utf8(text) != text) {
        report_.bad(rows_.line(), "must be UTF-8, but is not; save the file as UTF-8",
                    std::string(record_fields()[field].name));
        return;
      }
      if (is_text_[field] && text.find('\\') != std::string_view::npos) {
        text = unescaped_.emplace_back(unescape_text(text));
      } else if (text.empty() && !is_text_[field] && !is_optional(record_fields()[field])) {
        report_.bad(rows_.line(), "must not be empty", std::string(record_fields()[field].name));
        return;
      }
      values_.push_back({field, text});
    }
    report_.add(values_, {}, rows_.line());
  }

  CsvRows rows_;
  RowReport& report_;
  std::vector<bool> is_text_; ///< by field
  std::vector<std::size_t> columns_;
  std::size_t version_ = 0; ///< column of schema_version
  bool header_missed_ = false;
  std::vector<FieldText> defaults_;
  std::deque<std::string> default_texts_;
  std::vector<FieldText> values_;
  std::deque<std::string> unescaped_;
};

} // namespace

void read_csv(ByteWindow& window, RowReport& report) {
  CsvReader(window, report).read();
}

} // namespace sdbench

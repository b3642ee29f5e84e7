#include "sdbench/front/results/row_readers.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/results/csv_rows.h"
#include "sdbench/front/results/named_rows.h"

namespace sdbench {
namespace {

constexpr std::string_view kVersion = "schema_version";

/// The separator of fields, found beside the column schema_version. Spreadsheets in countries with
/// decimal commas write semicolons, and some write tabs.
char separator_of(ByteWindow& window) {
  constexpr std::size_t kLook = std::size_t{64} << 10;
  while (window.bytes().size() < kLook && window.grow()) {
  }
  const std::string_view bytes = window.bytes().substr(0, kLook);
  const std::size_t begin = bytes.find(kVersion);
  if (begin == std::string_view::npos) {
    return ',';
  }
  const auto is_separator = [&](std::size_t place) {
    return place < bytes.size() && (bytes[place] == ';' || bytes[place] == '\t');
  };
  std::size_t behind = begin + kVersion.size();
  behind += behind < bytes.size() && bytes[behind] == '"' ? 1 : 0;
  // If the column is the last, use the separator before it.
  const bool is_last = behind >= bytes.size() || bytes[behind] == '\n' || bytes[behind] == '\r';
  const std::size_t before = begin - (begin > 1 && bytes[begin - 1] == '"' ? 2 : 1);
  const std::size_t place = is_last && begin > 0 ? before : behind;
  return is_separator(place) ? bytes[place] : ',';
}

/// True for "sep=;" in upper or lower case, a line with which spreadsheets name their separator.
bool is_separator_line(std::string_view field) {
  return field.size() >= 4 && field[3] == '=' && (field[0] == 's' || field[0] == 'S') &&
         (field[1] == 'e' || field[1] == 'E') && (field[2] == 'p' || field[2] == 'P');
}

bool holds_numbers(std::string_view column) {
  const auto place = find_field(column);
  return place && type_name(record_fields()[*place]) == "number";
}

/// True for an id of a run, work, variant, environment or cell, such as "r0123456789abcdef".
bool is_id(std::string_view text) {
  constexpr std::size_t kLength = 17;
  return text.size() == kLength &&
         std::string_view("rwvec").find(text.front()) != std::string_view::npos &&
         text.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos;
}

class CsvReader {
public:
  CsvReader(ByteWindow& window, RowReport& report)
      : separator_(separator_of(window)), rows_(window, CsvRows::kLongestRow, separator_),
        report_(report), named_(report) {}

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
    const std::span<const std::string_view> fields = rows_.fields();
    const bool fits = named_.size() == fields.size();
    // A version is never "schema_version", so this finds headers anywhere in the file.
    if ((!fits || fields[version_] == kVersion) && is_header()) {
      report_.has_our_form();
      version_ = static_cast<std::size_t>(std::ranges::find(fields, kVersion) - fields.begin());
      named_.set_columns(fields, rows_.line());
      if (!rows_.has_end()) {
        report_.bad(rows_.line(), "must be a whole header with rows below it, but the file ends in "
                                  "it; a full disk may have cut it off");
      }
      is_number_.assign(fields.size(), false);
      std::transform(fields.begin(), fields.end(), is_number_.begin(), holds_numbers);
    } else if (rows_.line() == 1 && is_separator_line(fields.front())) {
      // Not a row.
    } else if (std::ranges::all_of(fields, &std::string_view::empty)) {
      // A row that a spreadsheet has emptied.
    } else if (named_.size() == 0) {
      if (is_cut_header() || (rows_.line() == 1 && std::ranges::any_of(fields, is_id))) {
        report_.has_our_form(); // one of our rows, without its header
      }
      if (!std::exchange(header_missed_, true)) {
        report_.bad(rows_.line(),
                    "must be a header that names the columns, separated by commas, with "
                    "schema_version and run_id, but is not; lines above a header are left out");
      }
    } else if (!fits) {
      report_.bad(rows_.line(), "must have " + std::to_string(named_.size()) +
                                    " fields, as its header, but has " +
                                    std::to_string(fields.size()));
    } else {
      values_.assign(fields.begin(), fields.end());
      if (separator_ != ',') {
        read_decimal_commas();
      }
      named_.add(values_, {}, rows_.line());
      if (!rows_.has_end()) {
        report_.doubt(rows_.line(), "must end in a line end, but the file ends there; its last "
                                    "field may be cut");
      }
    }
  }

  /// Reads numbers such as "7,5" as 7.5, if semicolons or tabs separate fields. Texts keep commas.
  void read_decimal_commas() {
    const std::span<const std::string_view> fields = rows_.fields();
    with_points_.assign(fields.size(), {});
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (const std::size_t comma = fields[i].find(','); is_number_[i] && comma != fields[i].npos) {
        with_points_[i] = fields[i];
        with_points_[i][comma] = '.';
        values_[i] = CellValue(with_points_[i]);
      }
    }
  }

  [[nodiscard]] bool is_header() const {
    const auto names = [&](std::string_view name) {
      return std::ranges::find(rows_.fields(), name) != rows_.fields().end();
    };
    return names(kVersion) && names("run_id");
  }

  /// True for the beginning of a header, which a full disk may leave.
  [[nodiscard]] bool is_cut_header() const {
    constexpr std::size_t kTelling = 7; // "schema_"
    const std::string_view first = rows_.fields().front();
    return first == kVersion ||
           (rows_.fields().size() == 1 && first.size() >= kTelling && kVersion.starts_with(first));
  }

  char separator_;
  CsvRows rows_;
  RowReport& report_;
  NamedRows named_;
  std::size_t version_ = 0; ///< column of schema_version
  bool header_missed_ = false;
  std::vector<CellValue> values_;
  std::vector<bool> is_number_;          ///< by column
  std::vector<std::string> with_points_; ///< numbers of a row whose commas were decimal ones
};

} // namespace

void read_csv(ByteWindow& window, RowReport& report) {
  CsvReader(window, report).read();
}

} // namespace sdbench

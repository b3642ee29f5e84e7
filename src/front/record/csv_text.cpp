#include "sdbench/front/record/csv_text.h"

#include <algorithm>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

/// Takes fields off the front of a text.
class CsvReader {
public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }

  std::vector<std::string> read_row() {
    std::vector<std::string> row;
    do {
      row.push_back(at('"') ? read_quoted() : read_bare());
    } while (take(','));
    take('\r');
    if (!at_end() && !take('\n')) {
      throw Error("line " + line_of(position_) +
                  ": a comma or a line end must follow a closing quote");
    }
    return row;
  }

private:
  [[nodiscard]] bool at(char byte) const { return !at_end() && text_[position_] == byte; }

  bool take(char byte) {
    const bool found = at(byte);
    position_ += found ? 1 : 0;
    return found;
  }

  std::string read_bare() {
    const std::size_t end = std::min(text_.find_first_of(",\r\n", position_), text_.size());
    std::string field(text_.substr(position_, end - position_));
    position_ = end;
    return field;
  }

  std::string read_quoted() {
    const std::size_t opened_at = position_++;
    std::string field;
    for (;;) {
      const std::size_t quote = text_.find('"', position_);
      if (quote == std::string_view::npos) {
        throw Error("line " + line_of(opened_at) + ": a quote is opened but never closed");
      }
      field += text_.substr(position_, quote - position_);
      position_ = quote + 1;
      if (!take('"')) {
        return field;
      }
      field += '"';
    }
  }

  [[nodiscard]] std::string line_of(std::size_t position) const {
    return std::to_string(1 + std::ranges::count(text_.substr(0, position), '\n'));
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

} // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    line += &field == &fields.front() ? "" : ",";
    line += field;
  }
  return line + "\n";
}

std::string csv_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char byte : text) {
    quoted += byte == '"' ? "\"\"" : std::string(1, byte);
  }
  return quoted + "\"";
}

std::string csv_text(std::string_view escaped) {
  constexpr std::string_view kComputed = "=+-@\t\r";
  if (escaped.empty() || kComputed.find(escaped.front()) == std::string_view::npos) {
    return csv_quoted(escaped);
  }
  return csv_quoted(escape_byte(escaped.front()).append(escaped.substr(1)));
}

std::vector<std::vector<std::string>> parse_csv(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  CsvReader reader(text);
  while (!reader.at_end()) {
    rows.push_back(reader.read_row());
  }
  return rows;
}

} // namespace sdbench

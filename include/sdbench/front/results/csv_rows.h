#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/byte_window.h"

namespace sdbench {

/// Reads the rows of any CSV text one by one. Returns a malformed row as kBroken and continues at
/// the next line.
class CsvRows {
public:
  enum class Next {
    kRow,
    kBroken, ///< see reason()
    kEnd,
  };

  static constexpr std::size_t kLongestRow = std::size_t{1} << 20;

  /// `longest`: maximum bytes of a row. The limit keeps an unclosed quote from swallowing the rest
  /// of a file.
  explicit CsvRows(ByteWindow& window, std::size_t longest = kLongestRow, char separator = ',')
      : window_(window), longest_(longest), separator_(separator) {}

  /// Finds the next row that is not an empty line.
  [[nodiscard]] Next next();

  /// Number of the line in which the row begins, counted from 1; also for a broken row.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// The row's fields without their quotes. Valid until the next call of next().
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// True if a line end follows the row. False if the file ends there, so that the row may be
  /// truncated.
  [[nodiscard]] bool has_end() const { return has_end_; }

private:
  enum class Scan { kRow, kBroken, kNeedsMore };
  [[nodiscard]] Scan scan(bool at_end);
  [[nodiscard]] Scan broken(const char* reason, std::size_t looked_at);
  void add_quoted(std::string_view text, bool has_quotes);
  void skip_broken();

  ByteWindow& window_;
  std::size_t longest_;
  char separator_;
  std::size_t used_ = 0;      ///< bytes of the row at the window's front
  std::size_t looked_at_ = 0; ///< bytes scanned before the row proved to be broken
  std::size_t wasted_ = 0;    ///< bytes of all broken rows
  std::size_t line_ = 1;
  bool has_end_ = true;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_; ///< fields that contained doubled quotes
  std::string reason_;
};

} // namespace sdbench

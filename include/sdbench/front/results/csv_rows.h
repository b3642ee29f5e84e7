#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/byte_window.h"

namespace sdbench {

/// Rows of a CSV text, one after the other, whatever is in it: what is no row is told, and reading
/// goes on at the line below.
class CsvRows {
public:
  enum class Next {
    kRow,
    kBroken, ///< see reason()
    kEnd,
  };

  static constexpr std::size_t kLongestRow = std::size_t{1} << 20;

  /// `longest` bytes of a row: an unclosed quote must not swallow the rest of a file.
  explicit CsvRows(ByteWindow& window, std::size_t longest = kLongestRow, char separator = ',')
      : window_(window), longest_(longest), separator_(separator) {}

  /// Finds the next row that is not an empty line.
  [[nodiscard]] Next next();

  /// Of the row, or of the broken one, where it begins.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Without their quotes. They live until the next call of next().
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// Whether a line end stands behind the row; else the file ends there, which may be cut off.
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
  std::size_t looked_at_ = 0; ///< bytes of a broken one, until it was seen to be so
  std::size_t wasted_ = 0;    ///< of all broken ones
  std::size_t line_ = 1;
  bool has_end_ = true;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_; ///< fields that had quotes in them
  std::string reason_;
};

} // namespace sdbench

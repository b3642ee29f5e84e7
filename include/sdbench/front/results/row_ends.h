#pragma once

#include <cstdint>
#include <string_view>

namespace sdbench {

/// What ends a row in a file to which rows are appended.
enum class RowEnd {
  kLine,         ///< every line feed
  kUnquotedLine, ///< a line feed outside double quotes: CSV
};

/// Finds the end of the last complete row of a file whose bytes arrive in pieces. The first piece
/// must begin at the start of a row. Every byte must be read, because a line feed ends a CSV row
/// only after an even number of quotes. A file of 100 MB takes about 0.1 s, and is read only once.
class RowEnds {
public:
  explicit RowEnds(RowEnd row_end) : row_end_(row_end) {}

  void append(std::string_view bytes);
  /// Number of bytes up to the end of the last complete row. A row that contains a zero byte does
  /// not count as complete, because file systems write zeros where a power failure lost data.
  [[nodiscard]] std::uint64_t whole() const { return whole_; }

private:
  RowEnd row_end_;
  bool in_quotes_ = false;
  bool damaged_ = false; ///< the unfinished row contains a zero byte
  std::uint64_t seen_ = 0;
  std::uint64_t whole_ = 0;
};

/// True if `bytes`, which follow a file's last line end, are a complete row without a line end.
/// Always false for CSV, because a truncated number looks like a complete one.
[[nodiscard]] bool is_whole_row(std::string_view bytes, RowEnd row_end);

} // namespace sdbench

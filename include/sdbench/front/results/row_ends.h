#pragma once

#include <cstdint>
#include <string_view>

namespace sdbench {

/// Where a row of a growing file ends.
enum class RowEnd {
  kLine,         ///< at each line feed
  kUnquotedLine, ///< at each line feed outside of double quotes: CSV
};

/// Finds the end of the last whole row in bytes that come piece by piece, from the start of a row
/// on. Whether a line feed ends a row of CSV depends on every quote before it, so no byte can be
/// skipped; one pass over 100 MB takes about a tenth of a second, once a file.
class RowEnds {
public:
  explicit RowEnds(RowEnd row_end) : row_end_(row_end) {}

  void append(std::string_view bytes);
  /// How many of the bytes so far make whole rows. A row with a zero byte in it is none: nobody
  /// writes one, but file systems fill with them what a power failure kept from the disk.
  [[nodiscard]] std::uint64_t whole() const { return whole_; }

private:
  RowEnd row_end_;
  bool in_quotes_ = false;
  bool damaged_ = false; ///< the row that has begun holds a zero byte
  std::uint64_t seen_ = 0;
  std::uint64_t whole_ = 0;
};

/// Whether bytes behind the last line end are a row that lacks nothing but its own: sure only of
/// JSON lines, because half a number looks like a number.
[[nodiscard]] bool is_whole_row(std::string_view bytes, RowEnd row_end);

} // namespace sdbench

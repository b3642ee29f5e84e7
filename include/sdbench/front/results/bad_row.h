#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// A problem in a results file: a row or file that could not be read and was left out, or a row
/// that was read but may be wrong.
struct BadRow {
  std::filesystem::path file;
  std::size_t line = 0; ///< counted from 1; in a database, the row's number; 0: the whole file
  std::string column;   ///< name of the field; empty: the whole row
  std::string reason;
  /// One line for messages: "night.csv, line 3, column steps: must be of type integer, but is
  /// \"many\"".
  [[nodiscard]] std::string text() const;
};

/// Problems found while reading files.
struct ReadRemarks {
  std::vector<BadRow> bad;      ///< rows and files that were left out
  std::vector<BadRow> doubtful; ///< rows that were read but may be wrong
};

} // namespace sdbench

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// A row or file that could not be read and was left out, or a row that was read but is doubtful.
struct BadRow {
  std::filesystem::path file;
  std::size_t line = 0; ///< from 1; in a database the row's number; 0: the whole file
  std::string column;   ///< name of the field; empty: the whole row
  std::string reason;
  /// "night.csv, line 3, column steps: must be of type integer, but is \"many\""
  [[nodiscard]] std::string text() const;
};

/// Remarks about files that were read.
struct ReadRemarks {
  std::vector<BadRow> bad;      ///< left out
  std::vector<BadRow> doubtful; ///< read, but doubtful
};

} // namespace sdbench

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// A row, or a file, that could not be read and was left out; or one that was read with a doubt.
struct BadRow {
  std::filesystem::path file;
  std::size_t line = 0; ///< from 1, of a database the row's number; 0: the file as a whole
  std::string column;   ///< name of the field; empty: the row as a whole
  std::string reason;
  /// "night.csv, line 3, column steps: must be of type integer, but is \"many\""
  [[nodiscard]] std::string text() const;
};

/// What is to be said of files that were read.
struct ReadRemarks {
  std::vector<BadRow> bad;      ///< left out
  std::vector<BadRow> doubtful; ///< read all the same
};

} // namespace sdbench

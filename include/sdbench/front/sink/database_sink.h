#pragma once

#include <filesystem>
#include <string>

#include "sdbench/front/sink/sink_set.h"

namespace sdbench {

/// Writes records to an SQLite database. Each write() is one transaction, which waits up to 5 s for
/// other writers. The data are on disk when write() returns.
class DatabaseSink : public RecordSink {
public:
  /// Creates the file and its tables if necessary. Throws Error if the file is not such a database.
  DatabaseSink(const std::filesystem::path& file, Say say);

  [[nodiscard]] std::string name() const override { return name_.string(); }
  /// If the database was removed or replaced since the last call, creates it and its folder if
  /// necessary, and also writes all earlier records.
  void write(std::span<const RunRecord> records, std::size_t taken) override;

private:
  std::filesystem::path name_; ///< path as the user gave it
  /// Absolute path, because the working folder may be removed and created again.
  std::filesystem::path path_;
  Say say_;
};

} // namespace sdbench

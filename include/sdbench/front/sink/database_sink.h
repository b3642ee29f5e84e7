#pragma once

#include <filesystem>
#include <string>

#include "sdbench/front/sink/sink_set.h"

namespace sdbench {

/// Records in SQLite. Each write is one transaction. It waits up to 5 s for other writers, and its
/// data are on disk when it returns.
class DatabaseSink : public RecordSink {
public:
  /// Makes file and tables if necessary. Throws Error for a file of a different kind.
  DatabaseSink(const std::filesystem::path& file, Say say);

  [[nodiscard]] std::string name() const override { return name_.string(); }
  /// If the database was lost since the last time, makes it and its folder again, with the earlier
  /// records.
  void write(std::span<const RunRecord> records, std::size_t taken) override;

private:
  std::filesystem::path name_; ///< as the user gave it
  std::filesystem::path
      path_; ///< absolute, because the working folder may be removed and made again
  Say say_;
};

} // namespace sdbench

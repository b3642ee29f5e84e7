#pragma once

#include <filesystem>
#include <string>

#include "sdbench/front/sink/sink_set.h"

namespace sdbench {

/// Records in SQLite. Each write is one transaction, which waits up to 5 s for other programs that
/// write, and is on the disk when it returns.
class DatabaseSink : public RecordSink {
public:
  /// Makes file and tables if need be. Throws Error for a file that is something else.
  DatabaseSink(const std::filesystem::path& file, Say say);

  [[nodiscard]] std::string name() const override { return name_.string(); }
  /// A database that was lost since the last time is made again, with its folder and the earlier
  /// records.
  void write(std::span<const RunRecord> records, std::size_t taken) override;

private:
  std::filesystem::path name_; ///< as the user gave it
  std::filesystem::path path_; ///< absolute: the working folder may go and be made again
  Say say_;
};

} // namespace sdbench

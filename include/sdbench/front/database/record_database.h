#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sdbench/base/record/run_record.h"
#include "sdbench/front/database/sqlite.h"

namespace sdbench {

/// Records in SQLite: table `runs` with a column a field, table `samples` with the raw times
/// (docs/record.md). Every method throws Error with the file and the reason.
class RecordDatabase {
public:
  /// Opens the file for writing, makes it and its tables if they are not there. Refuses a database
  /// whose tables are others, or whose rows are of an earlier schema version, as it lets nobody
  /// else write for the moment.
  explicit RecordDatabase(const std::filesystem::path& file);
  /// In memory.
  RecordDatabase();

  [[nodiscard]] bool has(const std::string& run_id);
  /// All of them, on disk when it returns, or none. A run that is there already stays as it is.
  void add(std::span<const RunRecord> records);
  [[nodiscard]] std::string bytes() const { return database_.bytes(); }

private:
  void make_tables();
  [[nodiscard]] std::string columns_of(const std::string& table);

  Database database_;
};

/// A database of these records, as the bytes of its file.
[[nodiscard]] std::string database_document(std::span<const RunRecord> records);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sdbench/front/database/sqlite.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Records in SQLite: table `runs` with a column for each field, table `samples` with the raw times
/// (docs/record.md). On failure, every method throws Error with the file and the reason.
class RecordDatabase {
public:
  /// Opens the file for writing; makes the file and its tables if missing. Refuses a database with
  /// different tables, or with rows of an earlier schema version. Locks out other writers while it
  /// makes the tables.
  explicit RecordDatabase(const std::filesystem::path& file);
  /// A database in memory.
  RecordDatabase();

  [[nodiscard]] bool has(const std::string& run_id);
  /// Adds all records or none; they are on disk when it returns. Runs that are already in the
  /// database stay unchanged.
  void add(std::span<const RunRecord> records);
  [[nodiscard]] std::string bytes() const { return database_.bytes(); }

private:
  void make_tables();
  [[nodiscard]] std::string columns_of(const std::string& table);

  Database database_;
};

/// The bytes of a database file with these records.
[[nodiscard]] std::string database_document(std::span<const RunRecord> records);

} // namespace sdbench

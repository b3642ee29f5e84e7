#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sdbench/front/record/cell_value.h"

struct sqlite3;
struct sqlite3_stmt;

namespace sdbench {

/// A prepared statement of a Database. The Database must outlive the statement. Parameters and
/// columns count from 0.
class Statement {
public:
  void bind_text(int parameter, std::string_view text);
  void bind_integer(int parameter, std::int64_t value);
  /// Binds NaN as NULL.
  void bind_number(int parameter, double value);
  void bind_null(int parameter);

  /// Advances to the next row; returns false after the last one. Throws Error.
  bool step();
  /// Makes the statement ready to run again; parameters keep their values.
  void reset();

  [[nodiscard]] int column_count() const;
  [[nodiscard]] std::string_view column_name(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] bool is_number(int column) const;
  [[nodiscard]] double number(int column) const;
  /// The column's text, which is valid until the next step(). A number becomes the text that SQLite
  /// writes for it. nullopt for a blob.
  [[nodiscard]] std::optional<std::string_view> text(int column) const;
  /// Reads the column's value into `to`, which is valid until the next step(). NULL is an empty
  /// text.
  void read(int column, CellValue& to) const;

private:
  friend class Database;
  Statement(sqlite3_stmt* statement, std::string action);
  [[noreturn]] void fail() const;

  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  std::string action_;
};

/// A SQLite database. The file may be untrusted: its views, triggers and functions do not run.
/// On failure, every method throws Error with the file and the reason.
class Database {
public:
  enum class Mode {
    kRead,
    kWrite, ///< creates the file if missing
  };

  Database(const std::filesystem::path& file, Mode mode);
  /// A database in memory.
  Database();

  void execute(const std::string& sql);
  [[nodiscard]] Statement prepare(const std::string& sql);
  /// Number of rows that the last insertion added.
  [[nodiscard]] int changes() const;
  /// The file's bytes.
  [[nodiscard]] std::string bytes() const;

private:
  void open(const std::string& name, int flags);
  void harden();
  [[noreturn]] void fail() const;

  struct Closer {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Closer> handle_;
  std::string action_;    ///< for errors: "cannot read FILE"
  bool has_locks_ = true; ///< the file system supports locks
};

} // namespace sdbench

#include "sdbench/front/database/sqlite.h"

#include <utility>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/descriptor.h"

namespace sdbench {
namespace {

constexpr int kLockPatienceMs = 5000;
constexpr int kLongestValue = 64 << 20;

[[noreturn]] void fail_with(const std::string& action, sqlite3* handle) {
  const int code = handle == nullptr ? SQLITE_NOMEM : sqlite3_extended_errcode(handle);
  std::string reason = handle == nullptr ? "out of memory" : sqlite3_errmsg(handle);
  switch (code & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    reason = "another program keeps it locked";
    break;
  case SQLITE_NOTADB:
    reason = "it must be a SQLite database, but is not";
    break;
  case SQLITE_CORRUPT:
    reason = "it is damaged (" + reason + ")";
    break;
  default:
    break;
  }
  throw Error(action + ": " + reason);
}

/// SQLite's own name for reading and writing without locks.
constexpr const char* kWithoutLocks = "unix-none";

/// True if the file system refuses locks, which SQLite would report as a lock of a different
/// program. With SQLITE_OPEN_CREATE, makes the file as SQLite does. Call it before SQLite locks the
/// file, because closing any descriptor of a file ends all of the process' locks on it.
bool knows_no_locks(const std::string& file, int flags) {
  const int create = (flags & SQLITE_OPEN_CREATE) != 0 ? O_CREAT : 0;
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | create, 0644));
  struct flock lock {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  return opened.ok() && ::fcntl(opened.get(), F_GETLK, &lock) != 0;
}

} // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::Statement(sqlite3_stmt* statement, std::string action)
    : statement_(statement), action_(std::move(action)) {}

void Statement::fail() const {
  fail_with(action_, sqlite3_db_handle(statement_.get()));
}

void Statement::bind_text(int parameter, std::string_view text) {
  // SQLite must copy the text, because the caller's does not last.
  if (sqlite3_bind_text64(statement_.get(), parameter + 1, text.data(), text.size(),
                          SQLITE_TRANSIENT, SQLITE_UTF8) != SQLITE_OK) {
    fail();
  }
}

void Statement::bind_integer(int parameter, std::int64_t value) {
  if (sqlite3_bind_int64(statement_.get(), parameter + 1, value) != SQLITE_OK) {
    fail();
  }
}

void Statement::bind_number(int parameter, double value) {
  if (sqlite3_bind_double(statement_.get(), parameter + 1, value) != SQLITE_OK) {
    fail();
  }
}

void Statement::bind_null(int parameter) {
  if (sqlite3_bind_null(statement_.get(), parameter + 1) != SQLITE_OK) {
    fail();
  }
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) {
    fail();
  }
  return code == SQLITE_ROW;
}

void Statement::reset() {
  sqlite3_reset(statement_.get()); // repeats the error of the last step, which was thrown then
}

int Statement::column_count() const {
  return sqlite3_column_count(statement_.get());
}

std::string_view Statement::column_name(int column) const {
  const char* name = sqlite3_column_name(statement_.get(), column);
  return name == nullptr ? "" : name;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool Statement::is_number(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  return type == SQLITE_FLOAT || type == SQLITE_INTEGER;
}

double Statement::number(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::optional<std::string_view> Statement::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB) {
    return std::nullopt;
  }
  const auto* const bytes =
      reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string_view()
                          : std::string_view(bytes, static_cast<std::size_t>(size));
}

/// Reads SQLite's value, so that the column is looked up only once. This is safe because no other
/// thread has the handle (see Database::open).
void Statement::read(int column, CellValue& to) const {
  constexpr std::int64_t kMost = CellValue::kMostInteger;
  sqlite3_value* const value = sqlite3_column_value(statement_.get(), column);
  to.kind = CellValue::Kind::kText;
  to.text = {};
  switch (sqlite3_value_type(value)) {
  case SQLITE_NULL:
    return;
  case SQLITE_BLOB:
    to.kind = CellValue::Kind::kNeither;
    return;
  case SQLITE_FLOAT:
    to.kind = CellValue::Kind::kNumber;
    to.number = sqlite3_value_double(value);
    return;
  case SQLITE_INTEGER:
    if (const auto integer = sqlite3_value_int64(value); integer >= -kMost && integer <= kMost) {
      to.kind = CellValue::Kind::kInteger;
      to.number = static_cast<double>(integer);
      return;
    }
    break;
  default:
    break;
  }
  if (const auto* const bytes = reinterpret_cast<const char*>(sqlite3_value_text(value))) {
    to.text = {bytes, static_cast<std::size_t>(sqlite3_value_bytes(value))};
  }
}

void Database::Closer::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Database::Database(const std::filesystem::path& file, Mode mode)
    : action_((mode == Mode::kRead ? "cannot read " : "cannot write ") + file.string()) {
  const std::string name = std::filesystem::absolute(file).string();
  if (mode == Mode::kWrite) {
    open(name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    return;
  }
  (void)open_regular_file(file); // throws for a pipe, for which SQLite would wait
  open(name, SQLITE_OPEN_READONLY);
  // A writer that was killed while writing leaves a journal, which only a writer may roll back. A
  // lock on the file tells that the writer still lives.
  const bool needs_mending = sqlite3_exec(handle_.get(), "SELECT 1 FROM sqlite_master", nullptr,
                                          nullptr, nullptr) != SQLITE_OK &&
                             sqlite3_extended_errcode(handle_.get()) == SQLITE_READONLY_ROLLBACK;
  if (!needs_mending) {
    return;
  }
  if (!has_locks_) {
    throw Error(action_ +
                ": another program is writing it, or was killed while writing it, and without "
                "locks these cannot be told apart; read it again later, or copy it with its "
                "-journal to a file system that has locks, and read it there");
  }
  open(name, SQLITE_OPEN_READWRITE);
}

Database::Database() : action_("cannot make a database in memory") {
  open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY);
}

void Database::open(const std::string& name, int flags) {
  sqlite3* handle = nullptr;
  // Only one thread uses each handle. Without mutexes, reading takes two thirds of the time.
  has_locks_ = !knows_no_locks(name, flags);
  const char* const way = has_locks_ ? nullptr : kWithoutLocks;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, way);
  handle_.reset(handle); // also set after most failures, with the reason
  if (code != SQLITE_OK) {
    fail();
  }
  harden();
}

void Database::harden() {
  sqlite3_busy_timeout(handle_.get(), kLockPatienceMs);
  sqlite3_extended_result_codes(handle_.get(), 1);
  sqlite3_limit(handle_.get(), SQLITE_LIMIT_LENGTH, kLongestValue);
  for (const auto& [option, value] :
       {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1}, std::pair{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        std::pair{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, std::pair{SQLITE_DBCONFIG_ENABLE_VIEW, 0}}) {
    sqlite3_db_config(handle_.get(), option, value, static_cast<int*>(nullptr));
  }
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail();
  }
}

Statement Database::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &statement,
                         nullptr) != SQLITE_OK) {
    fail();
  }
  return {statement, action_};
}

int Database::changes() const {
  return sqlite3_changes(handle_.get());
}

std::string Database::bytes() const {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
      sqlite3_serialize(handle_.get(), "main", &size, 0), sqlite3_free);
  if (bytes == nullptr) {
    throw Error(action_ + ": out of memory");
  }
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

void Database::fail() const {
  fail_with(action_, handle_.get());
}

} // namespace sdbench

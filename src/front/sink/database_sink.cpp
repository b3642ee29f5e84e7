#include "sdbench/front/sink/database_sink.h"

#include <span>
#include <system_error>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/front/database/record_database.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/sink/say.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// Throws Error for a device or a pipe, which cannot hold a database.
void check_regular(const fs::path& file) {
  std::error_code not_there;
  const fs::file_status status = fs::status(file, not_there);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error("cannot write " + file.string() + ": it must be a regular file, but is not");
  }
}

} // namespace

DatabaseSink::DatabaseSink(const fs::path& file, Say say)
    : name_(file), path_(fs::absolute(file)), say_(std::move(say)) {
  check_regular(file);
  const RecordDatabase database(name_); // checks the file, or makes it
}

void DatabaseSink::write(std::span<const RunRecord> records, std::size_t taken) {
  check_regular(path_);
  std::error_code ignored; // opening the database reports the reason
  const bool is_gone = !fs::exists(path_, ignored);
  fs::create_directories(path_.parent_path(), ignored);
  RecordDatabase database(path_);
  // The last row is also missing if another program emptied or replaced the file.
  if (is_gone || (taken > 0 && !database.has(records[taken - 1].run_id))) {
    say_(name_.string() + " was removed or replaced by another program; it is made again, with "
                          "the rows that it lacks");
    taken = 0;
  }
  database.add(records.subspan(taken));
}

} // namespace sdbench

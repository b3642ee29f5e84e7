#include "sdbench/front/sink/file_sinks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/database/record_database.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/sink/append_file.h"
#include "sdbench/front/sink/record_format.h"
#include "sdbench/front/sink/say.h"

namespace sdbench {
namespace {

/// The schema version of the first row in a file of a format that grows by lines; nothing without
/// such a row. Each row begins with its version, whatever columns follow.
std::optional<std::int64_t> version_of_rows(const std::filesystem::path& path,
                                            const RecordFormat& format) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(path, missing)) {
    return std::nullopt;
  }
  constexpr std::size_t kEnough = std::size_t{1} << 16; // a header has a few thousand bytes
  std::string beginning(kEnough, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  std::string_view row =
      std::string_view(beginning).substr(0, static_cast<std::size_t>(file.gcount()));
  if (!format.header().empty()) {
    constexpr std::string_view kFirstColumn = "schema_version,";
    const std::size_t end = row.find('\n');
    if (!row.starts_with(kFirstColumn) || end == std::string_view::npos) {
      return std::nullopt;
    }
    row.remove_prefix(end + 1);
  }
  constexpr std::string_view kMember = "{\"schema_version\":";
  row.remove_prefix(row.starts_with(kMember) ? kMember.size() : 0);
  return parse_integer(row.substr(0, row.find_first_not_of("0123456789")));
}

/// The path. Throws Error if the schema version of the file's rows is one that cannot take more
/// rows: a field may have had a different meaning then, and a column can have only one.
const std::filesystem::path& without_earlier_rows(const std::filesystem::path& path,
                                                  const RecordFormat& format) {
  const std::int64_t version = version_of_rows(path, format).value_or(kSchemaVersion);
  const std::string obstacle =
      append_obstacle(path.string(), version, kOldestSchemaVersion, kSchemaVersion);
  if (!obstacle.empty()) {
    throw Error(obstacle);
  }
  return path;
}

class AppendSink : public RecordSink {
public:
  AppendSink(const std::filesystem::path& path, const RecordFormat& format, const Say& say)
      : name_(path.string()), row_(format.row),
        file_(without_earlier_rows(path, format), format.header(), format.row_end, say) {}

  [[nodiscard]] std::string name() const override { return name_; }

  void write(std::span<const RunRecord> records, std::size_t taken) override {
    std::string rows;
    for (const RunRecord& record : records.subspan(taken)) {
      rows += row_(record);
    }
    file_.append(rows, [&] {
      return mapped(records.first(taken), [&](const RunRecord& record) -> AppendFile::NamedRow {
        return {record.run_id, row_(record)};
      });
    });
  }

private:
  std::string name_;
  std::string (*row_)(const RunRecord& record);
  AppendFile file_;
};

/// Identifies one version of a file that is only replaced, never edited; nothing without a file.
using FileVersion = std::optional<std::array<std::int64_t, 4>>;

FileVersion version_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    return std::nullopt;
  }
  // The times are needed because inode numbers are reused.
  return std::array{static_cast<std::int64_t>(status.st_dev),
                    static_cast<std::int64_t>(status.st_ino),
                    static_cast<std::int64_t>(status.st_mtim.tv_sec),
                    static_cast<std::int64_t>(status.st_mtim.tv_nsec)};
}

class ReplaceSink : public RecordSink {
public:
  ReplaceSink(const std::filesystem::path& path, const RecordFormat& format, Say say)
      : name_(path.string()), format_(format), path_(std::filesystem::absolute(path)),
        say_(std::move(say)), version_(version_of(path_)) {
    check_replaceable(path);
  }

  [[nodiscard]] std::string name() const override { return name_; }

  void write(std::span<const RunRecord> records, std::size_t /*taken*/) override {
    warn_of_another_writer();
    std::error_code ignored; // writing the file reports the reason
    std::filesystem::create_directories(path_.parent_path(), ignored);
    write_file_atomically(path_, file_document(format_, records));
    version_ = version_of(path_);
  }

private:
  void warn_of_another_writer() {
    const FileVersion now = version_of(path_);
    if (now && now != version_ && !std::exchange(said_, true)) {
      say_(name_ + " was written by another program meanwhile; what it wrote there is replaced by "
                   "the rows of this run: give each sdbench a file of its own, or let them share a "
                   ".csv or .jsonl file");
    }
  }

  std::string name_;
  const RecordFormat& format_;
  std::filesystem::path path_; ///< absolute: the working folder may be removed and made again
  Say say_;
  FileVersion version_; ///< the version that this sink found or wrote
  bool said_ = false;
};

/// Throws Error for a device or a pipe, which cannot hold a database.
void check_regular(const std::filesystem::path& file) {
  std::error_code not_there;
  const std::filesystem::file_status status = std::filesystem::status(file, not_there);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error("cannot write " + file.string() + ": it must be a regular file, but is not");
  }
}

/// Each write() is one transaction, which waits up to 5 s for other writers. The data are on disk
/// when write() returns.
class DatabaseSink : public RecordSink {
public:
  /// Creates the file and its tables if necessary. Throws Error if the file is not such a database.
  DatabaseSink(const std::filesystem::path& file, Say say)
      : name_(file), path_(std::filesystem::absolute(file)), say_(std::move(say)) {
    check_regular(file);
    const RecordDatabase database(name_); // checks the file, or makes it
  }

  [[nodiscard]] std::string name() const override { return name_.string(); }

  /// If the database was removed or replaced since the last call, creates it and its folder if
  /// necessary, and also writes all earlier records.
  void write(std::span<const RunRecord> records, std::size_t taken) override {
    check_regular(path_);
    std::error_code ignored; // opening the database reports the reason
    const bool is_gone = !std::filesystem::exists(path_, ignored);
    std::filesystem::create_directories(path_.parent_path(), ignored);
    RecordDatabase database(path_);
    // The last row is also missing if another program emptied or replaced the file.
    if (is_gone || (taken > 0 && !database.has(records[taken - 1].run_id))) {
      say_(name_.string() + " was removed or replaced by another program; it is made again, with "
                            "the rows that it lacks");
      taken = 0;
    }
    database.add(records.subspan(taken));
  }

private:
  std::filesystem::path name_; ///< path as the user gave it
  std::filesystem::path path_; ///< absolute: the working folder may be removed and made again
  Say say_;
};

} // namespace

std::unique_ptr<RecordSink> open_file_sink(const std::filesystem::path& file, const Say& say) {
  const RecordFormat& format = format_by_extension(file);
  if (format.row != nullptr) {
    return std::make_unique<AppendSink>(file, format, say);
  }
  if (!format.is_text) {
    return std::make_unique<DatabaseSink>(file, say);
  }
  return std::make_unique<ReplaceSink>(file, format, say);
}

} // namespace sdbench

#include "sdbench/sink/file_sinks.h"

#include <utility>

#include "sdbench/core/json_io.h"
#include "sdbench/sink/append_file.h"
#include "sdbench/sink/database_sink.h"
#include "sdbench/sink/record_format.h"

namespace sdbench {
namespace {

class AppendSink : public RecordSink {
public:
  AppendSink(const std::filesystem::path& path, const RecordFormat& format, const Say& say)
      : name_(path.string()), format_(format), file_(path, format.header(), format.row_end, say) {}

  [[nodiscard]] std::string name() const override { return name_; }

  void write(std::span<const RunRecord> records, std::size_t taken) override {
    std::string rows;
    for (const RunRecord& record : records.subspan(taken)) {
      rows += format_.row(record);
    }
    file_.append(rows, [&] {
      std::vector<AppendFile::NamedRow> earlier;
      for (const RunRecord& record : records.first(taken)) {
        earlier.push_back({record.run_id, format_.row(record)});
      }
      return earlier;
    });
  }

private:
  std::string name_;
  const RecordFormat& format_;
  AppendFile file_;
};

class ReplaceSink : public RecordSink {
public:
  ReplaceSink(const std::filesystem::path& path, const RecordFormat& format)
      : name_(path.string()), format_(format), path_(std::filesystem::absolute(path)) {
    check_replaceable(path);
  }

  [[nodiscard]] std::string name() const override { return name_; }

  void write(std::span<const RunRecord> records, std::size_t /*taken*/) override {
    std::error_code ignored; // writing tells the reason, if there is one
    std::filesystem::create_directories(path_.parent_path(), ignored);
    write_file_atomically(path_, format_.document(records));
  }

private:
  std::string name_;
  const RecordFormat& format_;
  std::filesystem::path path_; ///< absolute: the working folder may go and be made again
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
  return std::make_unique<ReplaceSink>(file, format);
}

} // namespace sdbench

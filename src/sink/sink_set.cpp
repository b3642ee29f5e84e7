#include "sdbench/sink/sink_set.h"

#include <cctype>
#include <exception>
#include <set>
#include <utility>

#include "sdbench/core/atomic_file.h"
#include "sdbench/core/error.h"
#include "sdbench/core/json_io.h"
#include "sdbench/sink/append_file.h"
#include "sdbench/sink/record_format.h"

namespace sdbench {
namespace {

const std::filesystem::path kDefaultFolder = "sdbench-results";

/// CSV and JSON lines: each record is a row at the end of the file.
class AppendSink : public RecordSink {
public:
  AppendSink(const std::filesystem::path& path, const RecordFormat& format)
      : format_(format), file_(path, format.header()) {}

  void write(const RunRecord& record) override { file_.append(format_.row(record)); }

private:
  const RecordFormat& format_;
  AppendFile file_;
};

/// JSON and Markdown: the file always holds the whole document of the records so far.
class ReplaceSink : public RecordSink {
public:
  ReplaceSink(std::filesystem::path path, const RecordFormat& format)
      : format_(format), path_(std::move(path)) {
    check_replaceable(path_);
  }

  void write(const RunRecord& record) override {
    records_.push_back(record);
    write_file_atomically(path_, format_.document(records_));
  }

private:
  const RecordFormat& format_;
  std::filesystem::path path_;
  std::vector<RunRecord> records_;
};

std::unique_ptr<RecordSink> open_sink(const std::filesystem::path& file) {
  const RecordFormat& format = format_by_extension(file);
  if (format.row != nullptr) {
    return std::make_unique<AppendSink>(file, format);
  }
  return std::make_unique<ReplaceSink>(file, format);
}

void refuse_repetition(const std::vector<std::filesystem::path>& files) {
  std::set<std::filesystem::path> seen;
  for (const auto& file : files) {
    if (!seen.insert(std::filesystem::weakly_canonical(file)).second) {
      throw UsageError("--output must name each file once, but names " + file.string() + " twice");
    }
  }
}

} // namespace

SinkSet::SinkSet(const std::vector<std::filesystem::path>& files) {
  for (const auto& file : files) {
    (void)format_by_extension(file); // a wrong name is said before any file is made
  }
  refuse_repetition(files);
  for (const auto& file : files) {
    sinks_.push_back(open_sink(file));
  }
}

void SinkSet::write(const RunRecord& record) {
  std::exception_ptr first_failure;
  for (const auto& sink : sinks_) {
    try {
      sink->write(record);
    } catch (const Error&) {
      first_failure = first_failure ? first_failure : std::current_exception();
    }
  }
  if (first_failure) {
    std::rethrow_exception(first_failure);
  }
}

std::vector<std::filesystem::path> default_output_files(const std::string& host) {
  std::string stem;
  for (const char byte : host) {
    const bool safe = std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '-' ||
                      byte == '_' || (byte == '.' && !stem.empty());
    stem += safe ? byte : '_';
  }
  stem = stem.empty() ? "results" : stem;
  return {kDefaultFolder / (stem + ".csv"), kDefaultFolder / (stem + ".jsonl")};
}

std::vector<std::filesystem::path> default_outputs(const std::string& host) {
  std::error_code failure;
  std::filesystem::create_directories(kDefaultFolder, failure);
  if (failure) {
    throw Error("cannot make the folder " + kDefaultFolder.string() + " here: " +
                failure.message() + "; name a file with -o, or leave rows unsaved with --no-save");
  }
  return default_output_files(host);
}

void check_replaceable(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file)) {
    throw Error("cannot write " + file.string() + ": it must be a file, but is a folder");
  }
  // Made and not committed: the temporary file goes again, the target stays as it is.
  const AtomicFile probe(file);
}

} // namespace sdbench

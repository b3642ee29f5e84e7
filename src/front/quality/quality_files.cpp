#include "sdbench/front/quality/quality_files.h"

#include <algorithm>
#include <system_error>

#include <nlohmann/json_fwd.hpp>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/results/row_ends.h"
#include "sdbench/front/sink/sink_set.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

std::string json_line(const QualityRow& row) {
  return to_json(row).dump() + "\n";
}

std::unique_ptr<AppendFile> open_appended(const fs::path& path, const Say& say) {
  if (file_ending(path) == ".csv") {
    return std::make_unique<AppendFile>(path, quality_csv_header(), RowEnd::kUnquotedLine, say);
  }
  return file_ending(path) == ".jsonl" ? std::make_unique<AppendFile>(path, "", RowEnd::kLine, say)
                                       : nullptr;
}

} // namespace

QualityFiles::QualityFiles(const std::vector<fs::path>& files, const Say& say) : say_(say) {
  for (const fs::path& file : files) {
    const std::string extension = file_ending(file);
    if (extension != ".csv" && extension != ".jsonl" && extension != ".json") {
      throw UsageError("--output must end in .csv, .jsonl or .json, but is " +
                       in_quotes(file.string()));
    }
  }
  for (const fs::path& file : files) {
    File& opened = files_.emplace_back();
    opened.path = fs::absolute(file);
    opened.name = file;
    opened.appended = open_appended(file, say);
    if (opened.appended == nullptr) {
      check_replaceable(file);
    }
  }
}

void QualityFiles::write(std::span<const QualityRow> rows) {
  for (const QualityRow& row : rows) {
    objects_.push_back(to_json(row));
  }
  for (File& file : files_) {
    try {
      write_to(file, rows);
      file.is_whole = file.is_whole || file.appended == nullptr; // such files are written whole
    } catch (const Error& error) {
      file.is_whole = false;
      say_(error.what());
    }
  }
}

bool QualityFiles::all_written() const {
  return std::ranges::all_of(files_, &File::is_whole);
}

std::vector<fs::path> QualityFiles::saved() const {
  std::vector<fs::path> files;
  for (const File& file : files_) {
    std::error_code not_there;
    if (file.is_whole && fs::exists(file.path, not_there)) {
      files.push_back(file.name);
    }
  }
  return files;
}

void QualityFiles::write_to(const File& file, std::span<const QualityRow> rows) const {
  if (file.appended == nullptr) {
    write_file_atomically(file.path, nlohmann::ordered_json(objects_).dump(2) + "\n");
    return;
  }
  const bool is_csv = file_ending(file.path) == ".csv";
  std::string lines;
  for (const QualityRow& row : rows) {
    lines += is_csv ? to_quality_csv(row) : json_line(row);
  }
  file.appended->append(lines, nullptr);
}

} // namespace sdbench

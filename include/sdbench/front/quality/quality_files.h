#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "sdbench/front/quality/quality_row.h"
#include "sdbench/front/sink/append_file.h"
#include "sdbench/front/sink/say.h"

namespace sdbench {

/// The output files of a study's rows: appends to .csv and .jsonl, replaces .json.
class QualityFiles {
public:
  /// Opens and checks the files before anything runs. Throws UsageError for another extension,
  /// Error for a file that cannot be written.
  QualityFiles(const std::vector<std::filesystem::path>& files, const Say& say);

  /// Writes the rows to every file, and flushes the files. If a file cannot be written, reports
  /// this, leaves the file out of saved(), and writes the others.
  void write(std::span<const QualityRow> rows);
  [[nodiscard]] bool all_written() const;
  /// The files to which all rows were written.
  [[nodiscard]] std::vector<std::filesystem::path> saved() const;

private:
  struct File {
    std::filesystem::path path;
    std::filesystem::path name;           ///< as the user gave it
    std::unique_ptr<AppendFile> appended; ///< null for a .json file
    bool is_whole = true;                 ///< has all rows so far
  };
  void write_to(const File& file, std::span<const QualityRow> rows) const;

  Say say_;
  std::vector<File> files_;
  std::vector<nlohmann::ordered_json> objects_; ///< all rows so far, for .json files
};

} // namespace sdbench

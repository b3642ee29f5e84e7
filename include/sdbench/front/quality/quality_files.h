#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sdbench/front/quality/quality_row.h"
#include "sdbench/front/sink/append_file.h"
#include "sdbench/front/sink/say.h"

namespace sdbench {

/// The files that a study's rows go to: .csv and .jsonl are appended to, .json is replaced.
class QualityFiles {
public:
  /// Opens and checks them before anything runs. Throws UsageError for another extension, Error for
  /// a file that cannot be written.
  QualityFiles(const std::vector<std::filesystem::path>& files, const Say& say);

  /// Gives the rows to every file, flushed when it returns. One that refuses keeps none from the
  /// others: it is said, and remembered.
  void write(std::span<const QualityRow> rows);
  [[nodiscard]] bool all_written() const;
  /// The files that have all rows.
  [[nodiscard]] std::vector<std::filesystem::path> saved() const;

private:
  struct File {
    std::filesystem::path path;
    std::filesystem::path name;           ///< as the user gave it
    std::unique_ptr<AppendFile> appended; ///< null: .json
    bool is_whole = true;                 ///< has all rows so far
  };
  void write_to(const File& file, std::span<const QualityRow> rows) const;

  Say say_;
  std::vector<File> files_;
  std::vector<nlohmann::ordered_json> objects_; ///< so far, for files that are replaced whole
};

} // namespace sdbench

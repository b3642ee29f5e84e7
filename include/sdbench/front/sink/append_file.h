#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "sdbench/base/files/descriptor.h"
#include "sdbench/front/results/row_ends.h"
#include "sdbench/front/sink/say.h"

namespace sdbench {

/// A file to which several processes append complete rows under one header. append() locks the
/// file and writes the given rows at once, all or none. A truncated last row (from a power failure,
/// a kill or another program) is moved to FILE.cut and reported.
class AppendFile {
public:
  /// A row, with a text by which it can be found in the file.
  struct NamedRow {
    std::string name;
    std::string row;
  };
  using EarlierRows = std::function<std::vector<NamedRow>()>;
  /// When rows reach the disk. kEachTime: before append() returns. kNever: whenever the system
  /// writes them, so a power failure loses the rows of the last seconds.
  enum class Sync { kEachTime, kNever };

  /// Checks the file and repairs its end. A missing file is created when the first rows are
  /// appended. `say` gets a message about each repair. Throws Error if the file cannot be written
  /// or created, or has a different header.
  AppendFile(const std::filesystem::path& path, std::string header, RowEnd row_end, Say say,
             Sync sync = Sync::kEachTime);

  /// Appends rows, each of which must end with a line end. Writes the header first if the file is
  /// empty. If the file was removed, replaced or truncated since the last call, creates it and its
  /// folder if necessary, and adds the rows from `earlier` (null: none) that the file lacks.
  /// On failure, throws Error and leaves the file with its old contents.
  void append(const std::string& rows, const EarlierRows& earlier);

private:
  [[nodiscard]] Descriptor open() const;
  [[nodiscard]] Descriptor open_locked() const;
  [[nodiscard]] bool is_the_one_we_know(const Descriptor& file) const;
  void mend(const Descriptor& file);
  void move_cut_row(const Descriptor& file, std::uint64_t size) const;
  void add(const Descriptor& file, std::string bytes);
  void remember(const Descriptor& file);
  [[noreturn]] void refuse(const std::string& reason) const;

  std::filesystem::path name_; ///< path as the user gave it
  /// Absolute path, because the working folder may be removed and created again.
  std::filesystem::path path_;
  std::string header_;
  RowEnd row_end_;
  Say say_;
  Sync sync_;
  bool seen_ = false; ///< true after the first open(); later calls create a missing folder again
  // the file's state when last seen
  bool written_ = false; ///< whether the file existed
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::uint64_t whole_ = 0; ///< size in bytes of the header and the complete rows
};

} // namespace sdbench

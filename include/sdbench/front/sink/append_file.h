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

/// A file that grows by whole rows under one header, shared with other processes. Adds rows under a
/// lock with one write, completely or not at all. Moves a truncated row (power failure, kill, other
/// programs) to FILE.cut and reports it.
class AppendFile {
public:
  /// A row, and a text by which it can be found.
  struct NamedRow {
    std::string name;
    std::string row;
  };
  using EarlierRows = std::function<std::vector<NamedRow>()>;
  /// When rows reach the disk: before append() returns, or whenever the system writes them. In the
  /// second case a power failure loses the last seconds.
  enum class Sync { kEachTime, kNever };

  /// Checks the file and repairs its end. A missing file is made with the first rows. Throws Error
  /// if the file cannot be written or made, or has a different header.
  AppendFile(const std::filesystem::path& path, std::string header, RowEnd row_end, Say say,
             Sync sync = Sync::kEachTime);

  /// Adds rows (each with its line end), after the header if the file is still empty. If the file
  /// was lost since the last time (removed, replaced, truncated), makes it and its folder again and
  /// adds the rows of `earlier` that it lacks. `earlier` is null if they were not kept. Throws
  /// Error; the file then has its old contents and no new row.
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

  std::filesystem::path name_; ///< as the user gave it
  std::filesystem::path
      path_; ///< absolute, because the working folder may be removed and made again
  std::string header_;
  RowEnd row_end_;
  Say say_;
  Sync sync_;
  bool seen_ = false; ///< its folder existed
  // the file's state when last seen
  bool written_ = false; ///< it existed
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::uint64_t whole_ = 0; ///< bytes of whole rows at its beginning
};

} // namespace sdbench

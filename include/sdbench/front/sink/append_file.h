#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "sdbench/base/core/descriptor.h"
#include "sdbench/front/results/row_ends.h"
#include "sdbench/front/sink/say.h"

namespace sdbench {

/// A file that grows by whole rows under one header, shared with other processes: rows go in under
/// a lock, with one write, whole or not at all. A row that was cut off (by a power failure, a kill,
/// another program) is moved to FILE.cut, and said.
class AppendFile {
public:
  /// A row, and a text in it that is in no other.
  struct NamedRow {
    std::string name;
    std::string row;
  };
  using EarlierRows = std::function<std::vector<NamedRow>()>;
  /// Whether rows are on the disk when append returns, or when the system gets to it: a power
  /// failure then takes the last seconds.
  enum class Sync { kEachTime, kNever };

  /// Checks what is in the file and mends its end. One that is not there is made with the first
  /// rows. Throws Error if it cannot be written or made, or starts with another header.
  AppendFile(const std::filesystem::path& path, std::string header, RowEnd row_end, Say say,
             Sync sync = Sync::kEachTime);

  /// Adds rows (each with its line end), after the header if the file is still empty. If the file
  /// was lost since the last time (removed, replaced, cut short), it is made again, with its
  /// folder, and gets those of the earlier rows that it lacks: `earlier` is called then; null where
  /// nobody keeps them. Throws Error; what was in the file is then still in it, and no new row.
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
  std::filesystem::path path_; ///< absolute: the working folder may go and be made again
  std::string header_;
  RowEnd row_end_;
  Say say_;
  Sync sync_;
  bool seen_ = false; ///< its folder was there
  // the file as we last saw it
  bool written_ = false; ///< it was there
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::uint64_t whole_ = 0; ///< bytes of whole rows from its beginning
};

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sdbench/base/files/descriptor.h"

namespace sdbench {

/// A file that appears whole or not at all. It is written without a name (or, if the file system
/// cannot do that, under a temporary one beside its target), synchronised, then renamed. Without
/// commit(), even after a kill, the target stays unchanged. A kill just before the rename leaves
/// the temporary name, which is removed when the target is next written (if the file system has
/// locks). A link is followed: its target is written. Every method throws Error with the target and
/// the reason, also for a folder, a device or a pipe in its place.
class AtomicFile {
public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view content);
  void commit();
  /// Like commit(), but keeps an existing target. For several programs that make the same file at
  /// once: read the file after this call.
  void commit_if_new();

private:
  void lock();
  void synchronise();
  void give_name();
  [[noreturn]] void fail() const;

  std::filesystem::path target_;
  std::filesystem::path temporary_; ///< the name before the rename
  bool is_named_ = false;           ///< true if temporary_ exists
  Descriptor file_;
};

/// True if `entry` is the temporary file of an AtomicFile called `name`, in use or left by a kill.
[[nodiscard]] bool is_unfinished(const std::filesystem::directory_entry& entry,
                                 std::string_view name);

/// The system's text for `error`, with which opening or making `file` failed. Says what to do if
/// the folder is missing.
[[nodiscard]] std::string why_not_writable(const std::filesystem::path& file, int error);

/// Makes a name that was just given to `file` survive a power failure, as far as its file system
/// can.
void sync_folder_of(const std::filesystem::path& file);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sdbench/base/files/descriptor.h"

namespace sdbench {

/// A file that appears whole or not at all. The content is written to a file without a name and
/// flushed to disk; then the file gets the target's name. If the file system does not support files
/// without a name, a temporary name beside the target is used. Without commit(), or if the process
/// is killed, the target stays unchanged. A killed process can leave a file with a temporary name;
/// on a file system with locks, the next write of the target removes that file. If the target is a
/// link, the file that it points to is written. A method that fails throws Error with the target
/// and the reason. The constructor also fails for a folder, a device or a pipe.
class AtomicFile {
public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view content);
  /// Makes the content appear under the target's name.
  void commit();
  /// Like commit(), but keeps a target that exists already. If several programs may write this file
  /// at the same time, read it after this call, because another program may have written it.
  void commit_if_new();

private:
  void lock();
  void synchronise();
  void give_name();
  [[noreturn]] void fail() const;

  std::filesystem::path target_;
  std::filesystem::path temporary_; ///< name before commit()
  bool is_named_ = false;           ///< true if temporary_ exists
  Descriptor file_;
};

/// True if `entry` is the temporary file of an AtomicFile whose target is called `name`. It may be
/// in use, or left over from a killed process.
[[nodiscard]] bool is_unfinished(const std::filesystem::directory_entry& entry,
                                 std::string_view name);

/// The system's text for the error code `error`, after `file` could not be opened or created. If
/// the folder does not exist, also says what to do.
[[nodiscard]] std::string why_not_writable(const std::filesystem::path& file, int error);

/// Flushes the folder of `file` to disk, as far as the file system can, so that a new file name
/// survives a power failure.
void sync_folder_of(const std::filesystem::path& file);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string_view>

#include "sdbench/core/descriptor.h"

namespace sdbench {

/// A file that appears whole or not at all: written beside its target under a temporary name,
/// synchronised, then renamed. Without commit() the temporary file is removed and the target is
/// left as it was. Every method throws Error that names the target and the system's reason.
class AtomicFile {
public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view content);
  void commit();

private:
  [[noreturn]] void fail() const;

  std::filesystem::path target_;
  std::filesystem::path temporary_; ///< empty once committed
  Descriptor file_;
};

/// Makes a name that was just given to `file` survive a power failure, as far as its folder's file
/// system can.
void sync_folder_of(const std::filesystem::path& file);

} // namespace sdbench

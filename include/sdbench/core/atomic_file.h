#pragma once

#include <filesystem>
#include <string_view>

#include "sdbench/core/descriptor.h"

namespace sdbench {

/// A file that appears whole or not at all: written beside its target under a temporary name,
/// synchronised, then renamed. Without commit() the temporary file is removed and the target is
/// left as it was. A link is followed: the file it leads to is written. Every method throws Error
/// that names the target and the reason, for a folder, a device or a pipe in its place too.
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

} // namespace sdbench

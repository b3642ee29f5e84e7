#pragma once

#include <filesystem>

namespace sdbench {

/// A new folder in the system's folder for temporary files (TMPDIR). The destructor removes it with
/// everything in it.
class TemporaryFolder {
public:
  /// Throws an Error that names the folder and the reason.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace sdbench

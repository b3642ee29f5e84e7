#pragma once

#include <filesystem>

namespace sdbench {

/// A new folder of our own among the temporary ones (TMPDIR), removed with all that is in it at the
/// end.
class TemporaryFolder {
public:
  /// Throws Error that names the folder and the reason.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace sdbench

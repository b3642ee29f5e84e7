#pragma once

#include <filesystem>
#include <string_view>

namespace sdbench {

/// Separates the target's name from a unique number in the temporary name.
inline constexpr std::string_view kPartialFolder = ".partial-";

/// A folder that appears whole or not at all: filled beside its target under a temporary name, then
/// renamed. Without commit() everything written is removed. Throws Error if the target exists and
/// is not an empty folder, or if its parent does not exist.
class AtomicFolder {
public:
  explicit AtomicFolder(const std::filesystem::path& target);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// The folder to fill.
  [[nodiscard]] const std::filesystem::path& path() const { return temporary_; }
  void commit();

private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

} // namespace sdbench

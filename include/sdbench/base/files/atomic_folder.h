#pragma once

#include <filesystem>
#include <string_view>

namespace sdbench {

/// The temporary folder's name is the target's name, this text, and a unique number.
inline constexpr std::string_view kPartialFolder = ".partial-";

/// A folder that appears whole or not at all. It is filled under a temporary name beside its
/// target, and then renamed. Without commit(), the destructor removes the folder. Throws Error if
/// the target exists and is not an empty folder, or if its parent folder does not exist.
class AtomicFolder {
public:
  explicit AtomicFolder(const std::filesystem::path& target);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// The temporary folder, which the caller fills.
  [[nodiscard]] const std::filesystem::path& path() const { return temporary_; }
  /// Renames the folder to its target.
  void commit();

private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

} // namespace sdbench

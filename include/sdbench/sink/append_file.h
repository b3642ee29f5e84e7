#pragma once

#include <filesystem>
#include <string>

namespace sdbench {

/// A file that grows by whole rows under one header, shared with other processes: a row goes in
/// under a lock with one write, or not at all.
class AppendFile {
public:
  /// Creates the file if need be and checks what is in it. Throws Error if it cannot be written,
  /// starts with another header, or ends in the middle of a line.
  AppendFile(std::filesystem::path path, std::string header);

  /// Adds a row (with its line end), after the header if the file is still empty. Throws Error; the
  /// file is then as it was.
  void append(const std::string& row);

private:
  std::filesystem::path path_;
  std::string header_;
};

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string>

#include "sdbench/core/descriptor.h"

namespace sdbench {

/// The file of --telemetry. It is written many times a second, so unlike a file of records it is
/// not synchronised to disk with each row: after a power failure the last seconds may be missing.
class TelemetryFile {
public:
  /// Opens the file to append to, creates it if need be, and takes away a last line that was cut
  /// off. Throws Error if it cannot be written or starts with another header.
  explicit TelemetryFile(std::filesystem::path path);

  /// Adds whole rows with one write. Throws Error if the file does not take them all; what it took
  /// is taken back.
  void append(const std::string& rows);

private:
  std::filesystem::path path_;
  Descriptor file_;
};

} // namespace sdbench

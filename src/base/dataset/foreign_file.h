#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Recognises files that are in the place of a batch of CIFAR-10, or beside one.

namespace sdbench {

inline constexpr std::string_view kParquet = "a Parquet file";
inline constexpr std::string_view kZip = "a zip archive";

/// Describes a file that begins with these bytes if it is certainly not a batch of CIFAR-10:
/// kParquet or "a file that gzip has packed". Empty otherwise.
[[nodiscard]] std::string_view foreign_form(std::string_view first_bytes);

/// Enough bytes of a file for foreign_form(); empty if it cannot be read.
[[nodiscard]] std::string first_bytes(const std::filesystem::path& file);

/// A file's name in small letters, without the number that wget appends to a second download:
/// "cifar-10-python.tar.gz" for "cifar-10-python.tar.gz.1".
[[nodiscard]] std::filesystem::path downloaded_name(const std::filesystem::path& file);

/// "has 0 bytes", "is cut off": the fault of an archive that is visible without unpacking it; empty
/// if there is no such fault.
[[nodiscard]] std::string archive_fault(const std::filesystem::path& archive);

} // namespace sdbench

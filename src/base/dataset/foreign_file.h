#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Recognises files that are not batches of CIFAR-10 but lie where a batch should be, or beside one.

namespace sdbench {

inline constexpr std::string_view kParquet = "a Parquet file";
inline constexpr std::string_view kZip = "a zip archive";

/// Says what a file is that begins with these bytes, such as kParquet or "a file that gzip has
/// packed". Empty if it may be a batch of CIFAR-10.
[[nodiscard]] std::string_view foreign_form(std::string_view first_bytes);

/// The first bytes of a file, as many as foreign_form() needs. Empty if the file cannot be read.
[[nodiscard]] std::string first_bytes(const std::filesystem::path& file);

/// A file's name in lower case, without the number that wget appends to a second download:
/// "cifar-10-python.tar.gz" for "cifar-10-python.tar.gz.1".
[[nodiscard]] std::filesystem::path downloaded_name(const std::filesystem::path& file);

/// What is wrong with an archive, as far as this can be seen without unpacking it: "has 0 bytes",
/// "is cut off …" and so on. Empty if nothing is.
[[nodiscard]] std::string archive_fault(const std::filesystem::path& archive);

} // namespace sdbench

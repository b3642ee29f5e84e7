#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// What lies where a batch of CIFAR-10 should, or beside it.

namespace sdbench {

inline constexpr std::string_view kParquet = "a Parquet file";
inline constexpr std::string_view kZip = "a zip archive";

/// What a file is that begins so, where that is surely none of CIFAR-10's batches: kParquet, "a
/// file that gzip has packed"; empty otherwise.
[[nodiscard]] std::string_view foreign_form(std::string_view first_bytes);

/// Enough of a file for foreign_form(); empty where it cannot be read.
[[nodiscard]] std::string first_bytes(const std::filesystem::path& file);

/// A file's name in small letters, without the number that wget puts behind the name of a second
/// download: "cifar-10-python.tar.gz" of "cifar-10-python.tar.gz.1".
[[nodiscard]] std::filesystem::path downloaded_name(const std::filesystem::path& file);

/// "has 0 bytes", "is cut off": what can be seen of an archive without unpacking it; empty if
/// nothing is wrong.
[[nodiscard]] std::string archive_fault(const std::filesystem::path& archive);

} // namespace sdbench

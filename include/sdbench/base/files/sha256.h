#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sdbench {

/// SHA-256 (FIPS 180-4) of the bytes, as 64 lower-case hexadecimal digits. libcrypto computes it.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

/// SHA-256 of a file's content, spelled as by sha256_hex(). Reads the file block by block. Throws
/// Error if the file cannot be read.
[[nodiscard]] std::string sha256_hex_of(const std::filesystem::path& file);

} // namespace sdbench

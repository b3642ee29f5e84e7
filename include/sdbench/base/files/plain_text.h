#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace sdbench {

/// Converts the bytes of a hand-written text to UTF-8. Removes a byte order mark (BOM). A text in
/// UTF-16, as Windows programs write it, must begin with a BOM. Throws Error "<name> must be …" for
/// a zero byte and for invalid UTF-8, such as Latin-1; the error names the line and the remedy.
[[nodiscard]] std::string to_plain_text(std::string bytes, const std::string& name);

/// Reads a file and converts it with to_plain_text. Also throws the errors of read_text_file.
[[nodiscard]] std::string read_plain_text(const std::filesystem::path& file, std::size_t max_bytes);

} // namespace sdbench

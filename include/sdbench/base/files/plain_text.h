#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace sdbench {

/// A text that people wrote, as UTF-8. Removes a byte order mark. Recognises UTF-16 by its mark and
/// converts it (Windows writes it). Throws Error "<name> must be …" with line and remedy for a zero
/// byte and for invalid UTF-8, such as Latin-1.
[[nodiscard]] std::string to_plain_text(std::string bytes, const std::string& name);

/// to_plain_text of a file; also throws the Errors of read_text_file.
[[nodiscard]] std::string read_plain_text(const std::filesystem::path& file, std::size_t max_bytes);

} // namespace sdbench

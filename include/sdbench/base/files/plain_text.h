#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace sdbench {

/// A text that people wrote, as UTF-8. A byte order mark is taken off; UTF-16 is told by its mark
/// and converted (Windows writes it). Throws Error "<name> must be …" with line and remedy for a
/// zero byte and for what is no UTF-8, such as Latin-1.
[[nodiscard]] std::string to_plain_text(std::string bytes, const std::string& name);

/// to_plain_text of a file; throws Error as read_text_file does, too.
[[nodiscard]] std::string read_plain_text(const std::filesystem::path& file, std::size_t max_bytes);

} // namespace sdbench

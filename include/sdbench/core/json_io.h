#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace sdbench {

using Json = nlohmann::json;

/// Reads and parses a JSON file. Errors name the file, and line and column of a syntax error
/// (Error). Files over `max_bytes` are refused: no config of ours is that large, and a wrong file
/// should not be slurped. So are documents nested deeper than 64 levels.
[[nodiscard]] Json read_json_file(const std::filesystem::path& path,
                                  std::size_t max_bytes = 64u << 20);

/// Reads a whole regular file as bytes, never waiting for a pipe (Error names the file and the
/// reason).
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         std::size_t max_bytes = 256u << 20);

/// Writes through a temporary file beside the target and renames it, so that a reader or a power
/// cut never sees half a file. Throws Error naming the file and the system's reason; removes the
/// temporary file.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

} // namespace sdbench

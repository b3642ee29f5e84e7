#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace sdbench {

using Json = nlohmann::json;

/// Parses JSON like Python: NaN, Infinity and -Infinity are numbers (diffusers writes them). Throws
/// Json::exception for anything else, and Error for documents nested deeper than 64 levels.
[[nodiscard]] Json parse_json(std::string_view text);

/// A document in Python's form, with these numbers; bytes that are not UTF-8 become U+FFFD.
/// `indent` below 0: on one line.
[[nodiscard]] std::string json_text(const Json& document, int indent = -1);

/// Reads and parses a JSON file (see parse_json), a plain text (see to_plain_text). Errors name the
/// file, and line and column of a syntax error (Error). Refuses files over `max_bytes`, because no
/// config of ours is that large and a wrong file should not be read whole. Also refuses documents
/// nested deeper than 64 levels.
[[nodiscard]] Json read_json_file(const std::filesystem::path& path,
                                  std::size_t max_bytes = 64u << 20);

/// The first `most` bytes of a regular file. Never waits for a pipe (Error with file and reason).
[[nodiscard]] std::string read_beginning(const std::filesystem::path& path, std::size_t most);
/// Reads a whole file. Refuses a larger one.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         std::size_t max_bytes = 256u << 20);

/// Writes a temporary file beside the target and renames it, so that a reader or a power failure
/// never sees half a file. Throws Error with file and the system's reason; removes the temporary
/// file.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

} // namespace sdbench

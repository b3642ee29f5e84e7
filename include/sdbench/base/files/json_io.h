#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace sdbench {

using Json = nlohmann::json;

/// Parses JSON as Python reads it: NaN, Infinity and -Infinity are numbers (diffusers writes them).
/// Throws Json::exception for anything else, and Error for documents nested deeper than 64 levels.
[[nodiscard]] Json parse_json(std::string_view text);

/// A document as Python writes it, these numbers included; what is not UTF-8 becomes U+FFFD.
/// `indent` below 0: on one line.
[[nodiscard]] std::string json_text(const Json& document, int indent = -1);

/// Reads and parses a JSON file (see parse_json), a plain text (see to_plain_text). Errors name the
/// file, and line and column of a syntax error (Error). Files over `max_bytes` are refused: no
/// config of ours is that large, and a wrong file should not be slurped. So are documents nested
/// deeper than 64 levels.
[[nodiscard]] Json read_json_file(const std::filesystem::path& path,
                                  std::size_t max_bytes = 64u << 20);

/// The first `most` bytes of a regular file, never waiting for a pipe (Error names the file and the
/// reason).
[[nodiscard]] std::string read_beginning(const std::filesystem::path& path, std::size_t most);
/// Reads a whole one; one that is larger is refused.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         std::size_t max_bytes = 256u << 20);

/// Writes through a temporary file beside the target and renames it, so that a reader or a power
/// cut never sees half a file. Throws Error naming the file and the system's reason; removes the
/// temporary file.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

} // namespace sdbench

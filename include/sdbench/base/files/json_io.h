#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace sdbench {

using Json = nlohmann::json;

/// Parses JSON as Python does: NaN, Infinity and -Infinity are numbers, because diffusers writes
/// them. Throws Json::exception for invalid JSON, and Error for documents that are nested more than
/// 64 levels deep.
[[nodiscard]] Json parse_json(std::string_view text);

/// Writes a document in the form that Python writes, including NaN and Infinity. Bytes that are not
/// UTF-8 become U+FFFD. `indent`: spaces per level; below 0: everything on one line.
[[nodiscard]] std::string json_text(const Json& document, int indent = -1);

/// Reads and parses a JSON file (see parse_json), which is first converted by to_plain_text. Throws
/// Error with the file, and with line and column of a syntax error. Also throws Error for documents
/// that are nested more than 64 levels deep, and for files of more than `max_bytes`: no config is
/// that large, so the file must be a wrong one and is not read whole.
[[nodiscard]] Json read_json_file(const std::filesystem::path& path,
                                  std::size_t max_bytes = 64u << 20);

/// The first `most` bytes of a regular file. For a pipe, does not block, but throws Error with the
/// file and the reason.
[[nodiscard]] std::string read_beginning(const std::filesystem::path& path, std::size_t most);
/// Like read_beginning(), but returns an empty text if the file cannot be read.
[[nodiscard]] std::string read_or_empty(const std::filesystem::path& path,
                                        std::size_t most = std::size_t{1} << 20);

/// Reads a whole file. Throws Error for a file of more than `max_bytes`.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         std::size_t max_bytes = 256u << 20);

/// Writes a file with AtomicFile, so that no reader ever sees half the content, even after a power
/// failure. Throws Error with the file and the system's reason; then no temporary file is left.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

} // namespace sdbench

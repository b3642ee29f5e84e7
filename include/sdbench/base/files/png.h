#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sdbench {

/// Writes a PNG file of 8-bit RGB pixels [height, width, 3]. `text`: pairs of keyword and UTF-8
/// text for tEXt or iTXt chunks. The file appears whole or not at all. Throws Error.
void write_png(const std::filesystem::path& path, std::span<const std::uint8_t> rgb,
               std::int64_t width, std::int64_t height,
               const std::vector<std::pair<std::string, std::string>>& text);

/// True if `path` is a PNG file that write_png() wrote with exactly the same `text`.
[[nodiscard]] bool png_says(const std::filesystem::path& path,
                            const std::vector<std::pair<std::string, std::string>>& text);

} // namespace sdbench

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace sdbench {

/// The delimiters of a one-line comment in a file format, such as "<!-- " and " -->".
struct Comment {
  std::string_view begin;
  std::string_view end;
};

/// The marker line at the beginning of a file that the sdbench command `command` ("run") writes.
/// The line tells a later run of sdbench that it may replace the file. `more`: data for that later
/// run.
[[nodiscard]] std::string file_mark(const Comment& comment, std::string_view command,
                                    std::string_view more = "");
/// Checks if `text` begins with such a marker line. If so, stores the line's data in `more` and
/// returns true. Otherwise returns false.
[[nodiscard]] bool read_file_mark(std::string_view text, const Comment& comment,
                                  std::string_view command, std::string& more);

/// The marker for an HTML page, as an element of its head.
[[nodiscard]] std::string page_mark(std::string_view command);
/// True if `text` is a page that contains page_mark(). Older pages are recognised by their title.
[[nodiscard]] bool is_page_of(std::string_view text, std::string_view command);

/// The first `most` bytes of a file that is about to be overwritten. Empty if there is no such
/// regular file. Throws Error if the file cannot be read.
[[nodiscard]] std::string standing_text(const std::filesystem::path& file,
                                        std::size_t most = std::size_t{64} << 10);

/// Throws Error: "FILE holds WHAT, which would be lost; ADVICE, or add --overwrite".
[[noreturn]] void refuse_loss(const std::filesystem::path& file, const std::string& what,
                              const std::string& advice = "name another file");

} // namespace sdbench

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace sdbench {

/// The delimiters of a one-line comment in a language: "<!-- " and " -->".
struct Comment {
  std::string_view begin;
  std::string_view end;
};

/// The first line of a file that `command` ("run") writes: it tells a later run that the file may
/// be replaced. `more` is data for that run.
[[nodiscard]] std::string file_mark(const Comment& comment, std::string_view command,
                                    std::string_view more = "");
/// Reads the text after the command in such a first line. False if `text` does not begin with one.
[[nodiscard]] bool read_file_mark(std::string_view text, const Comment& comment,
                                  std::string_view command, std::string& more);

/// The same mark as an element of an HTML page's head. Older pages have only their title.
[[nodiscard]] std::string page_mark(std::string_view command);
[[nodiscard]] bool is_page_of(std::string_view text, std::string_view command);

/// The first `most` bytes of the existing file that would be overwritten. Empty if it does not
/// exist. Throws Error for a file that cannot be read.
[[nodiscard]] std::string standing_text(const std::filesystem::path& file,
                                        std::size_t most = std::size_t{64} << 10);

/// Throws Error: "FILE holds WHAT, which would be lost; name another file, or add --overwrite".
[[noreturn]] void refuse_loss(const std::filesystem::path& file, const std::string& what,
                              const std::string& advice = "name another file");

} // namespace sdbench

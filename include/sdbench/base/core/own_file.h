#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace sdbench {

/// What stands around a comment of one line in a language: "<!-- " and " -->".
struct Comment {
  std::string_view begin;
  std::string_view end;
};

/// The first line of a file that `command` ("run") writes: by it a later one knows that it may be
/// replaced. `more` is what it wants to find there again.
[[nodiscard]] std::string file_mark(const Comment& comment, std::string_view command,
                                    std::string_view more = "");
/// What stands behind the command in such a first line; false if `text` does not begin with one.
[[nodiscard]] bool read_file_mark(std::string_view text, const Comment& comment,
                                  std::string_view command, std::string& more);

/// The element of a page's head that says the same; older pages have their title alone.
[[nodiscard]] std::string page_mark(std::string_view command);
[[nodiscard]] bool is_page_of(std::string_view text, std::string_view command);

/// The first `most` bytes of what stands in the place of a file that is to be written; empty where
/// that is nothing. Throws Error for a file that cannot be read.
[[nodiscard]] std::string standing_text(const std::filesystem::path& file,
                                        std::size_t most = std::size_t{64} << 10);

/// Throws Error: "FILE holds WHAT, which would be lost; name another file, or add --overwrite".
[[noreturn]] void refuse_loss(const std::filesystem::path& file, const std::string& what,
                              const std::string& advice = "name another file");

} // namespace sdbench

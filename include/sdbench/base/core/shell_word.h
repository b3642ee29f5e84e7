#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// A word of a command that a message advises, as a POSIX shell reads it back: in single quotes
/// where it holds anything else than letters, digits and what paths have besides.
[[nodiscard]] std::string shell_word(std::string_view text);

} // namespace sdbench

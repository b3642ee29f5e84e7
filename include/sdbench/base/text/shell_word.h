#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// A word for a command in a message, so that a POSIX shell reads it back: in single quotes unless
/// it has only letters, digits and characters that are usual in paths.
[[nodiscard]] std::string shell_word(std::string_view text);

} // namespace sdbench

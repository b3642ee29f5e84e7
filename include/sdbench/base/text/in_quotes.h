#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Makes text from the user or a file safe for a one-line message: puts it in double quotes,
/// escapes control characters, replaces invalid UTF-8, and cuts it after 160 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

} // namespace sdbench

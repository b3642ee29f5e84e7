#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Any bytes as one line of HTML's text, or of an attribute's value.
[[nodiscard]] std::string html_text(std::string_view text);

/// The same of a command, in which a backslash stays one.
[[nodiscard]] std::string html_command(std::string_view command);

} // namespace sdbench

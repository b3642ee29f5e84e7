#pragma once

#include <string>
#include <string_view>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A self-contained HTML page without scripts.
[[nodiscard]] std::string to_html(const View& view);

/// Any bytes as one line of HTML's text, or of an attribute's value.
[[nodiscard]] std::string html_text(std::string_view text);

/// The same for a command, in which backslashes are not escaped.
[[nodiscard]] std::string html_command(std::string_view command);

} // namespace sdbench

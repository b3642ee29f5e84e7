#pragma once

#include <string>
#include <string_view>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Formats the view as a self-contained HTML page without scripts.
[[nodiscard]] std::string to_html(const View& view);

/// Escapes any bytes so that they become one line of text in HTML, or the value of an attribute.
[[nodiscard]] std::string html_text(std::string_view text);

/// Escapes a command as html_text() does, but does not double backslashes.
[[nodiscard]] std::string html_command(std::string_view command);

/// Formats the view for Emacs' Org mode.
[[nodiscard]] std::string to_org(const View& view);

[[nodiscard]] std::string to_markdown(const View& view);

} // namespace sdbench

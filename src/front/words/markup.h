#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// How a markup language with tables of bars writes a view, as data.
struct Markup {
  std::string_view title;   ///< before the title of the whole text
  std::string_view heading; ///< before a table's title
  std::string_view strong;  ///< on both sides of a table's answer
  /// Any bytes as text of one line: no cell, line or link begins or ends in it.
  std::string (*escaped)(std::string_view text);
  /// A command as code, in which no letter means anything but itself.
  std::string (*command)(std::string_view text);
  /// The line between heads and rows, without its end.
  std::string (*rule)(const std::vector<ViewColumn>& columns);
};

[[nodiscard]] std::string markup_text(const View& view, const Markup& markup);

} // namespace sdbench

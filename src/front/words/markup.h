#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Describes how a markup language with bars in its tables writes a view.
struct Markup {
  std::string_view title;   ///< before the title of the whole text
  std::string_view heading; ///< before a table's title
  std::string_view strong;  ///< on both sides of a table's answer
  /// Escapes any bytes to text of one line, which begins and ends no cell, line or link.
  std::string (*escaped)(std::string_view text);
  /// A command as code, where every character stands for itself.
  std::string (*command)(std::string_view text);
  /// The line between heads and rows, without its end.
  std::string (*rule)(const std::vector<ViewColumn>& columns);
};

[[nodiscard]] std::string markup_text(const View& view, const Markup& markup);

} // namespace sdbench

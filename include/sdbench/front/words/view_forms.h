#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/files/own_file.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A form of tables for people, apart from the terminal's. A new form is one more entry, and every
/// command then has it.
struct ViewForm {
  std::string_view name;      ///< of --format: "md"
  std::string_view extension; ///< of -o FILE: ".md"
  std::string (*text)(const View& view);
  bool is_page = false; ///< shown on a page, to whose width it is fitted if possible
  /// Syntax of the file's first line, which names the command that wrote it and its rows. A form
  /// without it names the command itself and is not used for records, because a loss of rows could
  /// not be detected.
  std::optional<Comment> comment;
};

[[nodiscard]] std::span<const ViewForm> view_forms();
/// Null for an unknown name.
[[nodiscard]] const ViewForm* find_view_form(std::string_view name);

} // namespace sdbench

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/files/own_file.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A format of tables for people, such as Markdown, but not the default one for the terminal. A new
/// entry in view_forms() adds a format to all commands.
struct ViewForm {
  std::string_view name;      ///< name for --format: "md"
  std::string_view extension; ///< extension for -o FILE: ".md"
  std::string (*text)(const View& view);
  bool is_page = false; ///< true: tables are fitted to the width of a page if possible
  /// Comment syntax of the file's first line, which names the command that wrote the file and the
  /// ids of its rows. nullopt: no such line; the text itself contains the command's name. Without
  /// ids, a loss of rows could not be detected, so such a format is not used for records.
  std::optional<Comment> comment;
};

[[nodiscard]] std::span<const ViewForm> view_forms();
/// Finds a format by name; null if the name is unknown.
[[nodiscard]] const ViewForm* find_view_form(std::string_view name);

} // namespace sdbench

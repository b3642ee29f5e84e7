#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/files/own_file.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A format of tables for people, such as Markdown. (The terminal's default format is no ViewForm.)
/// A new entry in view_forms() adds a format to all commands.
struct ViewForm {
  std::string_view name;      ///< name for --format: "md"
  std::string_view extension; ///< extension for -o FILE: ".md"
  std::string (*text)(const View& view);
  bool is_page = false; ///< true: tables are fitted to the width of a page if possible
  /// Comment syntax of the file's first line, which names the command that wrote the file and the
  /// ids of its rows. nullopt: no such line, but the text contains the command's name. A format
  /// without the line is not used for records, because a loss of rows could not be detected.
  std::optional<Comment> comment;
};

[[nodiscard]] std::span<const ViewForm> view_forms();
/// Finds a format by name; null if the name is unknown.
[[nodiscard]] const ViewForm* find_view_form(std::string_view name);

} // namespace sdbench

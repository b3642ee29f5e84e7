#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/core/own_file.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// A form of tables for people, beside the terminal's, as data: a new form is one more entry, and
/// every command has it.
struct ViewForm {
  std::string_view name;      ///< of --format: "md"
  std::string_view extension; ///< of -o FILE: ".md"
  std::string (*text)(const View& view);
  bool is_page = false; ///< people see it on a page, whose width it keeps to where it may
  /// How a file's first line says which command wrote it, and whose rows it holds. A form without
  /// one says the command itself, and is not for records: what would be lost with them could not be
  /// told.
  std::optional<Comment> comment;
};

[[nodiscard]] std::span<const ViewForm> view_forms();
/// Null for the name of none.
[[nodiscard]] const ViewForm* find_view_form(std::string_view name);

} // namespace sdbench

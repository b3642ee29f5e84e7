#pragma once

#include <string>
#include <string_view>

#include "sdbench/front/options/arguments.h"

namespace sdbench {

/// Adds --title, whose text stands above a page or a table.
CLI::Option* add_title_option(CLI::App& app, const std::string& group);
/// The title; empty where none was given. Throws UsageError where it is not one line of text, is
/// too long, or `format` is one of data.
[[nodiscard]] std::string checked_title(const CLI::Option& option, std::string_view format);

} // namespace sdbench

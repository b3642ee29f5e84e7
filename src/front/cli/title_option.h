#pragma once

#include <string>

#include "sdbench/front/cli/arguments.h"

namespace sdbench {

/// Of --title: what stands above a page or table that others read.
CLI::Option* add_title_option(CLI::App& app, const std::string& group);
/// Empty: it was not given. Throws UsageError for what is no line of text, or is too long.
[[nodiscard]] std::string checked_title(const CLI::Option& option);

} // namespace sdbench

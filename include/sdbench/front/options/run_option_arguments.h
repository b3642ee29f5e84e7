#pragma once

#include <CLI/CLI.hpp>

#include "sdbench/base/config/run_options.h"

namespace sdbench {

/// Adds the option as --NAME, with its letter, and where it can be negated as --no-NAME.
void add_run_option(CLI::App& app, const RunOption& option);

/// What was given of it, see parse_option_value; null if it was not. Throws UsageError.
[[nodiscard]] Json given_run_value(const CLI::App& app, const RunOption& option);

} // namespace sdbench

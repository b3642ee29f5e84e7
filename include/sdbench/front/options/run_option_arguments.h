#pragma once

#include <CLI/CLI.hpp>

#include "sdbench/base/config/run_options.h"

namespace sdbench {

/// Adds the option as --NAME, with its letter, and also as --no-NAME if it can be negated.
void add_run_option(CLI::App& app, const RunOption& option);

/// The option's value, see parse_option_value; null if it was not given. Throws UsageError.
[[nodiscard]] Json given_run_value(const CLI::App& app, const RunOption& option);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string>

#include "sdbench/base/errors/error.h"

namespace sdbench {

/// Adds to an error message the name of the environment variable that `path` came from, because the
/// user did not type the path. Returns `message` unchanged if it does not mention `path`, or if
/// `variable` is empty because the user typed the path.
[[nodiscard]] std::string with_variable(std::string message, const std::filesystem::path& path,
                                        const std::string& variable);

/// Returns the result of make(). If make() throws Error or UsageError, throws an exception of the
/// same class, with the message that with_variable() returns.
template <typename Make>
auto naming_variable(const std::filesystem::path& path, const std::string& variable,
                     const Make& make) {
  try {
    return make();
  } catch (const UsageError& error) {
    throw UsageError(with_variable(error.what(), path, variable));
  } catch (const Error& error) {
    throw Error(with_variable(error.what(), path, variable));
  }
}

} // namespace sdbench

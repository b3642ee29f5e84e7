#pragma once

#include <filesystem>
#include <string>

#include "sdbench/base/errors/error.h"

namespace sdbench {

/// `message`; if it is about `path`, followed by the environment variable that names the path,
/// because the user did not type it. `variable` is empty if the user did.
[[nodiscard]] std::string with_variable(std::string message, const std::filesystem::path& path,
                                        const std::string& variable);

/// Returns make(). Errors from it name the variable, as above.
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

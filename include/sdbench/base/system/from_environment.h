#pragma once

#include <filesystem>
#include <string>

#include "sdbench/base/errors/error.h"

namespace sdbench {

/// `message`, naming the environment variable that `path` comes from if it is about that path,
/// because the user did not type the path. `variable` is empty if the user did.
[[nodiscard]] std::string with_variable(std::string message, const std::filesystem::path& path,
                                        const std::string& variable);

/// Returns make(). Errors that it throws name the variable, as above.
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

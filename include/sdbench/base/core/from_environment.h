#pragma once

#include <filesystem>
#include <string>

#include "sdbench/base/core/error.h"

namespace sdbench {

/// `message` with the environment's variable that led to `path`, where it is about that path:
/// nobody typed it. `variable` empty: somebody did.
[[nodiscard]] std::string with_variable(std::string message, const std::filesystem::path& path,
                                        const std::string& variable);

/// What `make` returns. Its errors have their variable, as above.
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

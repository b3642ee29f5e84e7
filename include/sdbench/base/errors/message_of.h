#pragma once

#include <exception>
#include <string>

namespace sdbench {

/// The message of a foreign exception in this program's style. File system errors of the standard
/// library become "cannot use PATH: REASON"; an error for a refused thread names the limits; others
/// stay unchanged.
[[nodiscard]] std::string message_of(const std::exception& error);

/// The same, but only the first line: without libtorch's trace, for example.
[[nodiscard]] std::string first_line_of(const std::exception& error);

} // namespace sdbench

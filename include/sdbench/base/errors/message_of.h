#pragma once

#include <exception>
#include <string>

namespace sdbench {

/// The message of a foreign exception in this program's style: the standard library's file system
/// errors become "cannot use PATH: REASON", a thread that is refused names the limits; others stay
/// as they are.
[[nodiscard]] std::string message_of(const std::exception& error);

/// The same without what follows in further lines, such as libtorch's trace.
[[nodiscard]] std::string first_line_of(const std::exception& error);

} // namespace sdbench

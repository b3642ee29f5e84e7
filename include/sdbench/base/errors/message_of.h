#pragma once

#include <exception>
#include <string>

namespace sdbench {

/// Message of any exception, in the style of sdbench's errors. File system errors of the standard
/// library become "cannot use PATH: REASON". If the system refused to start a thread, the message
/// names the limits to check. Other messages stay unchanged.
[[nodiscard]] std::string message_of(const std::exception& error);

/// The first line of message_of(error), for example without libtorch's stack trace.
[[nodiscard]] std::string first_line_of(const std::exception& error);

} // namespace sdbench

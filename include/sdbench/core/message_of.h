#pragma once

#include <exception>
#include <string>

namespace sdbench {

/// What a foreign exception says, in our words: the standard library's file system errors become
/// "cannot use PATH: REASON", others stay as they are.
[[nodiscard]] std::string message_of(const std::exception& error);

} // namespace sdbench

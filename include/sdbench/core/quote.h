#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Foreign text fit for a one-line message: in double quotes, control characters escaped, invalid
/// UTF-8 replaced, and cut after 160 bytes. For names that come out of files.
[[nodiscard]] std::string in_quotes(std::string_view text);

} // namespace sdbench

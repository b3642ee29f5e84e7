#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Text from outside as it may stand in a one-line message: in double quotes, valid UTF-8, control
/// characters shown as
/// "?", cut after 60 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

} // namespace sdbench

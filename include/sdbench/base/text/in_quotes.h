#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Text from outside in a form for one-line messages: in double quotes, control characters escaped,
/// invalid UTF-8 replaced, cut after 160 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

} // namespace sdbench

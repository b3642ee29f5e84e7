#pragma once

#include <string_view>

namespace sdbench {

/// What a text of a record's field is called today, where an earlier version had another word.
[[nodiscard]] std::string_view word_of_today(std::string_view field, std::string_view text);
/// Whether a field has such words at all.
[[nodiscard]] bool has_old_words(std::string_view field);

} // namespace sdbench

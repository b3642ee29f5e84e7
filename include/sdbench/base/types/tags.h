#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Prefix of a tag's name in places where a field is named: "tag:cooler".
inline constexpr std::string_view kTagPrefix = "tag:";

/// The key of "tag:cooler", which was given to an option ("--filter"). Empty if the name has no
/// such prefix. Throws UsageError for an invalid key.
[[nodiscard]] std::string tag_key_of(std::string_view field, std::string_view option);

/// "cooler=air room_c=21" of ["room_c=21", "cooler=air"]: the text of the record's field, by key.
/// Throws UsageError, which begins with "tag", for a text that is not KEY=VALUE, a key given twice,
/// and too long or too many tags.
[[nodiscard]] std::string joined_tags(const std::vector<std::string>& given);

/// "air", of the key "cooler". Empty if no tag has the key.
[[nodiscard]] std::string tag_value(std::string_view tags, std::string_view key);

/// ["cooler", "room_c"] of "cooler=air room_c=21".
[[nodiscard]] std::vector<std::string> tag_keys(std::string_view tags);

/// Without the tags of other keys: "cooler=air".
[[nodiscard]] std::string tags_of(std::string_view tags, std::span<const std::string> keys);

} // namespace sdbench

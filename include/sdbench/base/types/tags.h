#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Prefix of a tag's name where fields are named: "tag:cooler".
inline constexpr std::string_view kTagPrefix = "tag:";

/// The key of "tag:cooler", which was given to an option ("--filter"). Empty if the name has no
/// such prefix. Throws UsageError for an invalid key.
[[nodiscard]] std::string tag_key_of(std::string_view field, std::string_view option);

/// "cooler=air room_c=21" for ["room_c=21", "cooler=air"]: the text of the record's field, sorted
/// by key. Throws UsageError, which begins with "tag", for a text that is not KEY=VALUE, a key
/// given twice, and too long or too many tags.
[[nodiscard]] std::string joined_tags(const std::vector<std::string>& given);

/// The value of a key: "air" for "cooler". Empty if no tag has the key.
[[nodiscard]] std::string tag_value(std::string_view tags, std::string_view key);

/// The keys: ["cooler", "room_c"] for "cooler=air room_c=21".
[[nodiscard]] std::vector<std::string> tag_keys(std::string_view tags);

/// The tags with these keys: "cooler=air".
[[nodiscard]] std::string tags_of(std::string_view tags, std::span<const std::string> keys);

} // namespace sdbench

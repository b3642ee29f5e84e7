#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// What begins the name of one tag where a field is named: "tag:cooler".
inline constexpr std::string_view kTagPrefix = "tag:";

/// The key of "tag:cooler", which was given to an option ("--filter"). Empty: it is no such name.
/// Throws UsageError for what is no key.
[[nodiscard]] std::string tag_key_of(std::string_view field, std::string_view option);

/// "cooler=air room_c=21" of ["room_c=21", "cooler=air"]: the text of the record's field, by key.
/// Throws UsageError, whose words begin with "tag", for what is no KEY=VALUE, a key twice, and too
/// long or too many of them.
[[nodiscard]] std::string joined_tags(const std::vector<std::string>& given);

/// "air", of the key "cooler". Empty if no tag has the key.
[[nodiscard]] std::string tag_value(std::string_view tags, std::string_view key);

/// ["cooler", "room_c"] of "cooler=air room_c=21".
[[nodiscard]] std::vector<std::string> tag_keys(std::string_view tags);

/// Without the tags of other keys: "cooler=air".
[[nodiscard]] std::string tags_of(std::string_view tags, std::span<const std::string> keys);

} // namespace sdbench

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Prefix of a tag in options that take the name of a record's field: "tag:cooler". Tags are
/// KEY=VALUE pairs that the user gives with --tag.
inline constexpr std::string_view kTagPrefix = "tag:";

/// Returns the key in `field`: "cooler" for "tag:cooler". Empty if `field` does not begin with
/// kTagPrefix. Throws UsageError for an invalid key; the message names `option` ("--filter"), whose
/// value contains `field`.
[[nodiscard]] std::string tag_key_of(std::string_view field, std::string_view option);

/// Joins tags, sorted by key, as the record's field `tags` has them: "cooler=air room_c=21" for
/// ["room_c=21", "cooler=air"]. Throws UsageError for a tag that is not a valid KEY=VALUE or is too
/// long, a key that is given twice, or too many tags. The message begins with "tag".
[[nodiscard]] std::string joined_tags(const std::vector<std::string>& given);

/// The value that the record's field `tags` has for `key`: "air" for the key "cooler". Empty if the
/// field does not contain the key.
[[nodiscard]] std::string tag_value(std::string_view tags, std::string_view key);

/// All keys in the record's field `tags`: ["cooler", "room_c"] for "cooler=air room_c=21".
[[nodiscard]] std::vector<std::string> tag_keys(std::string_view tags);

/// Reduces the record's field `tags` to the tags that have one of the `keys`: "cooler=air".
[[nodiscard]] std::string tags_of(std::string_view tags, std::span<const std::string> keys);

} // namespace sdbench

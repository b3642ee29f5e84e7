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
/// kTagPrefix. Throws UsageError for an invalid key; the error names `option` ("--filter"), to
/// which the user gave `field`.
[[nodiscard]] std::string tag_key_of(std::string_view field, std::string_view option);

/// Joins tags, sorted by key, into the text of the record's field: "cooler=air room_c=21" for
/// ["room_c=21", "cooler=air"]. Throws UsageError, whose text begins with "tag", for a text that is
/// not KEY=VALUE, a key that is given twice, a tag that is too long, or too many tags.
[[nodiscard]] std::string joined_tags(const std::vector<std::string>& given);

/// The value of `key` in the text of the record's field: "air" for the key "cooler". Empty if there
/// is no such key.
[[nodiscard]] std::string tag_value(std::string_view tags, std::string_view key);

/// All keys in the text of the record's field: ["cooler", "room_c"] for "cooler=air room_c=21".
[[nodiscard]] std::vector<std::string> tag_keys(std::string_view tags);

/// Those tags in the text of the record's field whose key is in `keys`, such as "cooler=air".
[[nodiscard]] std::string tags_of(std::string_view tags, std::span<const std::string> keys);

} // namespace sdbench

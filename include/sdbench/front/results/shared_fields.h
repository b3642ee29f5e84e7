#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/record/field_name.h"

namespace sdbench {

/// Replaces a part that was removed from a text.
inline constexpr std::string_view kRedacted = "[redacted]";

/// True if a field may be published: every number, and the texts of one list. A new text is private
/// until somebody adds it to the list.
[[nodiscard]] bool may_be_shared(FieldName field);

/// All other fields.
[[nodiscard]] std::vector<FieldName> private_fields();

/// All texts that people, files or systems word freely, so that they may contain a host's name,
/// whether or not they may be shared. Includes new texts by default.
[[nodiscard]] std::vector<FieldName> fields_in_others_words();
/// True if this text of such a field is worded freely. False for the name of a model that comes
/// with sdbench, and for the identity of weights or data.
[[nodiscard]] bool is_in_others_words(FieldName field, const std::string& text);

/// Fields of the list whose texts may contain a path, which without_paths() removes.
[[nodiscard]] const std::vector<FieldName>& fields_with_paths();
[[nodiscard]] std::string without_paths(FieldName field, const std::string& text);

} // namespace sdbench

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/record/field_name.h"

namespace sdbench {

/// Placeholder for a part that was removed from a text.
inline constexpr std::string_view kRedacted = "[redacted]";

/// True if a field may be published: each number field, and each text field that is an engine axis,
/// a work field, a measured figure, or in the list kSharedTexts (shared_fields.cpp). A new text
/// field of another kind is private until somebody adds it to kSharedTexts.
[[nodiscard]] bool may_be_shared(FieldName field);

/// All fields that may not be published.
[[nodiscard]] std::vector<FieldName> private_fields();

/// All text fields whose wording comes from people, files or systems, so that they may contain a
/// host's name. New text fields are in this list by default. It does not depend on
/// may_be_shared(): "os" is in it, but may be published.
[[nodiscard]] std::vector<FieldName> fields_in_others_words();
/// For a field in fields_in_others_words(): true if sdbench did not choose the wording of its value
/// `text`. False for the name of a model that comes with sdbench, and for the name or hash of
/// weights or data.
[[nodiscard]] bool is_in_others_words(FieldName field, const std::string& text);

/// Fields that may be published only after without_paths() has removed paths from their texts.
[[nodiscard]] const std::vector<FieldName>& fields_with_paths();
[[nodiscard]] std::string without_paths(FieldName field, const std::string& text);

} // namespace sdbench

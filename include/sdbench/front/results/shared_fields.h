#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/record/field_name.h"

namespace sdbench {

/// Stands in a text where a part of it was taken out.
inline constexpr std::string_view kRedacted = "[redacted]";

/// Whether a field may be in what people publish: every number, and the texts of one list. A new
/// text is in no such file until somebody adds it to the list.
[[nodiscard]] bool may_be_shared(FieldName field);

/// All others.
[[nodiscard]] std::vector<FieldName> private_fields();

/// All texts that people, files or systems word freely, so that the name of a host may stand in
/// them, whether they may be shared or not. A new text is among them.
[[nodiscard]] std::vector<FieldName> fields_in_others_words();
/// Whether this text of such a field is: not a model's name of ours, or the identity of weights.
[[nodiscard]] bool is_in_others_words(FieldName field, const std::string& text);

/// Of the list, those in whose texts a path may stand. without_paths() takes it out.
[[nodiscard]] const std::vector<FieldName>& fields_with_paths();
[[nodiscard]] std::string without_paths(FieldName field, const std::string& text);

} // namespace sdbench

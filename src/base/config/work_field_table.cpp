#include "sdbench/base/config/work_field_table.h"

#include <algorithm>
#include <type_traits>

#include "sdbench/base/numbers/number_text.h"

namespace sdbench {

std::string option_name(const WorkField& field) {
  std::string name(id_name(field));
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string_view message_name(const WorkField& field) {
  return field.message.empty() ? id_name(field) : field.message;
}

std::string_view id_name(const WorkField& field) {
  return field.option.empty() ? field.name : field.option;
}

std::string_view label_of(const WorkField& field) {
  return field.axis.name.empty() ? field.words : field.axis.name;
}

bool is_sampler(const WorkField& field) {
  return field.member == WorkField::Member(&CellWork::sampler);
}

bool has_field(Task task, const WorkField& field) {
  return field.tasks.empty() || std::ranges::find(field.tasks, task) != field.tasks.end();
}

std::string value_text(const CellWork& work, const WorkField& field) {
  if (!has_field(work.task, field)) {
    return {};
  }
  return std::visit(
      [&](const auto member) -> std::string {
        const auto& value = work.*member;
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::string>) {
          return value;
        } else if constexpr (std::is_same_v<Value, bool>) {
          return std::string(field.flag_words[value ? 1 : 0]);
        } else if constexpr (std::is_same_v<Value, double>) {
          return number_text(value);
        } else if constexpr (std::is_enum_v<Value>) {
          return std::string(name_of(value));
        } else {
          return std::to_string(value);
        }
      },
      field.member);
}

std::string recorded_text(const CellWork& work, const WorkField& field) {
  const auto* const count = std::get_if<std::int64_t CellWork::*>(&field.member);
  const bool is_below = count != nullptr && !field.unsaid.empty() && work.**count < 0;
  std::string text = value_text(work, field);
  return is_below || text == field.unsaid ? "" : text;
}

} // namespace sdbench

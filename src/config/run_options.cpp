#include "sdbench/config/run_options.h"

#include <algorithm>

#include "sdbench/core/error.h"
#include "sdbench/core/in_quotes.h"
#include "sdbench/core/number_text.h"
#include "sdbench/core/suggestion.h"

namespace sdbench {
namespace {

std::string_view kind_phrase(OptionKind kind) {
  switch (kind) {
  case OptionKind::kText:
    return "a text";
  case OptionKind::kTextList:
    return "a text or a list of texts";
  case OptionKind::kInteger:
    return "a whole number";
  case OptionKind::kIntegerOrAuto:
    return "a whole number or auto";
  case OptionKind::kUnsigned:
    return "a whole number from 0 to 18446744073709551615";
  case OptionKind::kNumber:
    return "a number";
  case OptionKind::kFlag:
    return "true or false";
  }
  return {};
}

/// A value of a config file as it may stand in a message.
std::string shown(const Json& value) {
  if (value.is_structured()) {
    return value.is_array() ? "a list" : "an object";
  }
  return value.is_string() ? in_quotes(value.get<std::string>()) : value.dump();
}

constexpr const char* kAuto = "auto";

bool is_text(const Json& value) {
  return value.is_string();
}

bool has_kind(const Json& value, OptionKind kind) {
  switch (kind) {
  case OptionKind::kText:
    return is_text(value);
  case OptionKind::kTextList:
    return value.is_array() && std::ranges::all_of(value, is_text);
  case OptionKind::kInteger:
    return value.is_number_integer() &&
           (!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX);
  case OptionKind::kIntegerOrAuto:
    return value == kAuto || has_kind(value, OptionKind::kInteger);
  case OptionKind::kUnsigned:
    return value.is_number_unsigned();
  case OptionKind::kNumber:
    return value.is_number();
  case OptionKind::kFlag:
    return value.is_boolean();
  }
  return false;
}

template <typename Number>
Json json_or_null(const std::optional<Number>& value) {
  return value ? Json(*value) : Json();
}

void refuse_size_beside_width(const Json& values, const std::string& origin) {
  for (const char* part : {"width", "height"}) {
    if (values.contains("size") && values.contains(part)) {
      throw UsageError(origin + "size must stand alone, but is given beside " + origin + part +
                       "; leave one of them out");
    }
  }
}

} // namespace

const RunOption* find_run_option(std::string_view name) {
  const auto options = run_options();
  const auto found = std::ranges::find(options, name, &RunOption::name);
  return found == options.end() ? nullptr : &*found;
}

std::vector<std::string> run_option_names() {
  std::vector<std::string> names;
  for (const RunOption& option : run_options()) {
    names.emplace_back(option.name);
  }
  return names;
}

Json parse_option_value(const RunOption& option, const std::vector<std::string>& texts) {
  const std::string name = "--" + std::string(option.name);
  if (option.kind == OptionKind::kTextList) {
    return texts;
  }
  if (texts.size() != 1) {
    throw UsageError(name + " must be given once, but is given " + std::to_string(texts.size()) +
                     " times");
  }
  const std::string& text = texts.front();
  Json value;
  switch (option.kind) {
  case OptionKind::kInteger:
    value = json_or_null(parse_integer(text));
    break;
  case OptionKind::kIntegerOrAuto:
    value = text == kAuto ? Json(kAuto) : json_or_null(parse_integer(text));
    break;
  case OptionKind::kUnsigned:
    value = json_or_null(parse_unsigned(text));
    break;
  case OptionKind::kNumber:
    value = json_or_null(parse_number(text));
    break;
  case OptionKind::kFlag:
    value = text == "true";
    break;
  case OptionKind::kText:
  case OptionKind::kTextList:
    value = text;
    break;
  }
  if (value.is_null()) {
    throw UsageError(name + " must be " + std::string(kind_phrase(option.kind)) + ", but is " +
                     in_quotes(text));
  }
  return value;
}

void apply_options(RunOptions& options, const Json& values, const std::string& origin) {
  for (const auto& [name, value] : values.items()) {
    if (find_run_option(name) == nullptr) {
      throw UsageError(origin + name + " is not an option" +
                       did_you_mean(name, run_option_names()));
    }
  }
  refuse_size_beside_width(values, origin);
  for (const RunOption& option : run_options()) {
    const auto found = values.find(std::string(option.name));
    if (found == values.end()) {
      continue;
    }
    const bool single_of_list = option.kind == OptionKind::kTextList && found->is_string();
    const Json value = single_of_list ? Json::array({*found}) : *found;
    if (!has_kind(value, option.kind)) {
      throw UsageError(origin + std::string(option.name) + " must be " +
                       std::string(kind_phrase(option.kind)) + ", but is " + shown(*found));
    }
    try {
      option.apply(options, value);
    } catch (const Error& error) {
      if (error.blame() == Blame::kCommand) {
        throw UsageError(origin + error.what());
      }
      throw Error(origin + error.what());
    }
  }
}

void apply_config_file(RunOptions& options, const std::filesystem::path& file) {
  const Json values = read_json_file(file);
  if (!values.is_object()) {
    throw UsageError(file.string() +
                     " must hold one JSON object of option names and values, but "
                     "holds a value of type " +
                     values.type_name());
  }
  apply_options(options, values, file.string() + ": ");
}

} // namespace sdbench

#include "sdbench/base/config/run_options.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/files/home_path.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"

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

/// A value of a config file in a form for messages.
std::string shown(const Json& value) {
  if (value.is_structured()) {
    return value.is_array() ? "a list" : "an object";
  }
  return value.is_string() ? in_quotes(value.get<std::string>()) : json_text(value);
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

/// "nan" and "inf" are numbers to a parser; no option of ours can use them.
std::optional<double> finite_number(std::string_view text) {
  const std::optional<double> number = parse_number(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// The tasks of a kind of models that have the option.
std::vector<std::string> tasks_with(const RunOption& option, ModelKind kind) {
  const auto has = [&](const TaskRow& row) {
    return row.kind == kind && has_option(row.task, option);
  };
  return mapped_if<std::string>(task_table(), has, &TaskRow::name);
}

/// True if the option takes a list of values, where each makes a cell.
bool may_be_list(const RunOption& option) {
  return option.scope == OptionScope::kAxis && option.kind != OptionKind::kTextList;
}

void refuse_size_beside_width(const Json& values, const std::string& origin) {
  for (const char* part : {"width", "height"}) {
    if (values.contains("size") && values.contains(part)) {
      throw UsageError(origin + "size must be given without " + origin + part +
                       ", but is given with it; leave one of them out");
    }
  }
}

} // namespace

bool has_option(Task task, const RunOption& option) {
  return option.tasks.empty() || std::ranges::find(option.tasks, task) != option.tasks.end();
}

std::string option_obstacle(const RunOption& option, Task task, const std::string& model,
                            bool trains_epochs) {
  const std::string name = "--" + std::string(option.name);
  if (!has_option(task, option)) {
    const std::vector<std::string> others = tasks_with(option, row_of(task).kind);
    return name + " must be given with a task that has it, but --task " +
           std::string(name_of(task)) + " of " + in_quotes(model) + " has no such option; " +
           (others.empty() ? "" : "take --task " + listed(others) + ", or ") + "leave it out";
  }
  if (trains_epochs && option.epochs == WithEpochs::kNever) {
    return name +
           " must be given without --epochs, but is given with it: each epoch is a run, the first "
           "one is cold, and the data set gives the number of iterations; leave one of them out";
  }
  if (!trains_epochs && option.epochs == WithEpochs::kOnly) {
    return name +
           " must be given with --epochs, but is given without it: without epochs all iterations "
           "use one batch; add --epochs N";
  }
  return {};
}

const RunOption* find_run_option(std::string_view name) {
  const auto options = run_options();
  const auto found = std::ranges::find(options, name, &RunOption::name);
  return found == options.end() ? nullptr : &*found;
}

namespace {

/// The values of "a,b,c".
std::vector<std::string> split_at_commas(const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored)) {
    return {text};
  }
  const std::vector<std::string_view> parts = split(text, ',');
  return {parts.begin(), parts.end()};
}

Json parse_single_value(const RunOption& option, const std::string& text) {
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
    value = json_or_null(finite_number(text));
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
    throw UsageError("--" + std::string(option.name) + " must be " +
                     std::string(kind_phrase(option.kind)) + ", but is " + in_quotes(text));
  }
  return value;
}

/// Checks if the option can take a single value of the right kind.
void check_value(const RunOption& option, const Json& value, const std::string& origin) {
  const std::string name = origin + std::string(option.name);
  const bool single_of_list = option.kind == OptionKind::kTextList && value.is_string();
  const Json whole = single_of_list ? Json::array({value}) : value;
  if (!has_kind(whole, option.kind)) {
    throw UsageError(name + " must be " + std::string(kind_phrase(option.kind)) +
                     (may_be_list(option) ? " or a list of such" : "") + ", but is " +
                     shown(value));
  }
  try {
    RunOptions scratch;
    option.apply(scratch, whole);
  } catch (const Error& error) {
    if (error.blame() == Blame::kCommand) {
      throw UsageError(origin + error.what());
    }
    throw Error(origin + error.what());
  }
}

/// The same for a text, or for each text in a list.
Json with_home_in(Json value) {
  if (value.is_string()) {
    return with_home(value.get<std::string>());
  }
  for (Json& part : value) {
    part = with_home_in(std::move(part));
  }
  return value;
}

void check_list(const RunOption& option, const Json& list, const std::string& origin) {
  const std::string name = origin + std::string(option.name);
  if (list.empty()) {
    throw UsageError(name + " must have a value, but is an empty list");
  }
  for (auto value = list.begin(); value != list.end(); ++value) {
    check_value(option, *value, origin);
    if (std::find(list.begin(), value, *value) != value) {
      throw UsageError(name + " must name each value once, but names " + shown(*value) +
                       " twice; --rounds repeats cells");
    }
  }
}

} // namespace

Json parse_option_value(const RunOption& option, const std::vector<std::string>& texts) {
  if (option.kind == OptionKind::kTextList) {
    return texts;
  }
  if (!may_be_list(option)) {
    if (texts.size() != 1) {
      throw UsageError("--" + std::string(option.name) + " must be given once, but is given " +
                       std::to_string(texts.size()) + " times");
    }
    return parse_single_value(option, texts.front());
  }
  Json list = Json::array();
  for (const std::string& text : texts) {
    for (const std::string& part : split_at_commas(text)) {
      list.push_back(parse_single_value(option, part));
    }
  }
  return list.size() == 1 ? list.front() : list;
}

void check_options(const Json& values, const std::string& origin) {
  for (const auto& [name, value] : values.items()) {
    if (find_run_option(name) == nullptr) {
      throw UsageError(origin + one_line(name) + " is not an option" +
                       did_you_mean(name, mapped<std::string>(run_options(), &RunOption::name)));
    }
  }
  refuse_size_beside_width(values, origin);
  for (const RunOption& option : run_options()) {
    const auto found = values.find(std::string(option.name));
    if (found == values.end()) {
      continue;
    }
    if (found->is_array() && may_be_list(option)) {
      check_list(option, *found, origin);
    } else {
      check_value(option, *found, origin);
    }
  }
}

void apply_options(RunOptions& options, const Json& values) {
  for (const RunOption& option : run_options()) {
    if (const auto found = values.find(std::string(option.name)); found != values.end()) {
      const bool single_of_list = option.kind == OptionKind::kTextList && found->is_string();
      const Json value = is_path_value(option.value_name) ? with_home_in(*found) : *found;
      option.apply(options, single_of_list ? Json::array({value}) : value);
    }
  }
}

} // namespace sdbench

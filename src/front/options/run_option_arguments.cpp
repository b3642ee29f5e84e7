#include "sdbench/front/options/run_option_arguments.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/sink/record_format.h"

namespace sdbench {
namespace {

std::string option_names(const RunOption& option) {
  const std::string name(option.name);
  std::string names = option.letter == 0 ? "" : std::string("-") + option.letter + ",";
  return names + "--" + name;
}

std::string negated_name(const RunOption& option) {
  return "--no-" + std::string(option.name);
}

/// True, false, or null if neither form of the flag was given.
Json flag_value(const CLI::App& app, const RunOption& option) {
  const std::string name = "--" + std::string(option.name);
  const bool on = app.get_option(name)->count() > 0;
  const bool off = option.can_be_negated && app.get_option(negated_name(option))->count() > 0;
  if (on && off) {
    throw UsageError(name + " must be given without " + negated_name(option) +
                     ", but is given with it; leave one out");
  }
  return on || off ? Json(on) : Json();
}

/// Devices as --device takes them: "cpu, cuda:N".
std::string device_words() {
  std::vector<std::string> words;
  for (const DeviceKindRow& row : device_kinds()) {
    words.push_back(std::string(row.word) + (row.is_gpu ? ":N" : ""));
  }
  return listed(words, "");
}

/// Fills placeholders in the help with the rows of other tables.
std::string with_rows_of_tables(std::string_view help) {
  const auto grows = [](const RecordFormat& format) { return format.grows(); };
  const auto is_replaced = [](const RecordFormat& format) { return !format.grows(); };
  const std::pair<std::string_view, std::string> places[] = {
      {"{formats}", format_names()},
      {"{appended}", format_endings("", grows)},
      {"{replaced}", format_endings("", is_replaced)},
      {"{devices}", device_words()},
      {"{samplers}", listed(sampler_names(), "")}};
  std::string text(help);
  for (const auto& [place, words] : places) {
    if (const std::size_t found = text.find(place); found != std::string::npos) {
      text.replace(found, place.size(), words);
    }
  }
  return text;
}

} // namespace

void add_run_option(CLI::App& app, const RunOption& option) {
  const std::string help = with_rows_of_tables(option.help);
  const std::string group(option.group);
  if (option.kind != OptionKind::kFlag) {
    add_text_option(app, option_names(option), std::string(option.value_name), help, group);
    return;
  }
  add_flag(app, option_names(option), help, group);
  if (option.can_be_negated) {
    add_flag(app, negated_name(option), "switch it off", group);
  }
}

Json given_run_value(const CLI::App& app, const RunOption& option) {
  if (option.kind == OptionKind::kFlag) {
    return flag_value(app, option);
  }
  const CLI::Option* given = app.get_option("--" + std::string(option.name));
  return given->count() > 0 ? parse_option_value(option, given->results()) : Json();
}

} // namespace sdbench

#include "sdbench/front/shells/described_commands.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/config/preset_catalog.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/commands/app.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/other_engines/kept_entries.h"
#include "sdbench/front/terminal/command_table.h"

namespace sdbench {
namespace {

using Choices = std::vector<std::string>;

/// What the rows of a table are called.
template <typename Rows>
Choices names_in(const Rows& rows) {
  return mapped<std::string>(rows, [](const auto& row) { return row.name; });
}

Choices share_choices() {
  Choices names;
  for (const TaskRow& row : task_table()) {
    for (const std::string_view share : row.shares) {
      if (std::ranges::find(names, share) == names.end()) {
        names.emplace_back(share);
      }
    }
  }
  return names;
}

/// The choices of an engine axis; empty if the option is not an axis.
Choices axis_choices(const std::string& option) {
  for (const EngineAxis& axis : engine_axes()) {
    if ("--" + option_name(axis) == option) {
      Choices choices = axis.choices;
      if (axis.asked == &EngineAxes::engine) {
        choices.emplace_back(kAllEngines);
      }
      return choices;
    }
  }
  return {};
}

Choices device_words(bool measures_one) {
  Choices words = kind_words();
  words.insert(words.begin(), std::string(kAutoDevice));
  if (!measures_one) {
    words.emplace_back(kAllDevices);
  }
  return words;
}

/// Choices of options whose help does not only list them.
Choices known_choices(const std::string& command, const std::string& option) {
  const bool measures_one =
      command == "quality" || command == "reproduce"; // only sweeps have --device all
  return option == "--model"        ? shipped_model_names()
         : option == "--preset"     ? names_in(shipped_presets())
         : option == "--task"       ? names_in(task_table())
         : option == "--share"      ? share_choices()
         : option == "--scheduler"  ? scheduler_choices()
         : option == "--update"     ? Choices{"on", "off"}
         : option == "--data-place" ? Choices{"host", "device"}
         : option != "--device"     ? axis_choices(option)
                                    : device_words(measures_one);
}

Choices choices_of(const std::string& command, const DescribedOption& option) {
  if (option.value.empty()) {
    return {};
  }
  if (option.names.empty()) {
    return command == "setup engine"  ? names_in(other_engine_table())
           : command == "cache clear" ? names_in(kept_kinds())
                                      : Choices{};
  }
  const Choices choices = known_choices(command, option.names.back());
  return choices.empty() ? listed_choices(option.help) : choices;
}

std::vector<std::string> single_words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

/// The command's own description of its options.
Json told_by(const CommandLine& line) {
  std::vector<std::string> arguments = single_words(line.words);
  arguments.emplace_back(kDescribeOptions);
  std::ostringstream out;
  std::ostringstream err;
  if (run(arguments, {out, err}) != 0) {
    throw Error("sdbench " + std::string(line.words) +
                " must describe its options, but says: " + err.str());
  }
  return parse_json(out.str());
}

DescribedCommand described_command(const CommandLine& line) {
  const Json told = told_by(line);
  DescribedCommand command{.words = std::string(line.words),
                           .summary = std::string(line.summary),
                           .description = told.at("description"),
                           .footer = told.at("footer"),
                           .behind_end = std::string(line.behind_end),
                           .options = {}};
  for (const Json& one : told.at("options")) {
    DescribedOption option{.names = one.at("names"),
                           .value = one.at("value"),
                           .help = one.at("help"),
                           .group = one.at("group"),
                           .choices = {}};
    option.choices = choices_of(command.words, option);
    command.options.push_back(std::move(option));
  }
  return command;
}

bool is_choice(std::string_view word) {
  return !word.empty() &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-") == std::string_view::npos;
}

} // namespace

std::vector<std::string> listed_choices(std::string_view help) {
  const std::size_t colon = help.find(": ");
  if (colon != std::string_view::npos && help.find(" or ") > colon) { // "on stdout: table or csv"
    help.remove_prefix(colon + 2);
  }
  std::string_view rest = help.substr(0, help.find_first_of(":;("));
  while (rest.ends_with(' ')) {
    rest.remove_suffix(1);
  }
  Choices choices;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    const std::size_t last = rest.find(" or ");
    const std::size_t end = std::min({comma, last, rest.size()});
    choices.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == rest.size() ? end : end + (end == last ? 4 : 2));
  }
  return choices.size() > 1 && std::ranges::all_of(choices, is_choice) ? choices : Choices{};
}

std::vector<DescribedCommand> described_commands() {
  return mapped(kCommandLines, described_command);
}

} // namespace sdbench

#include "sdbench/front/options/arguments.h"

#include <algorithm>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/files/home_path.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

constexpr const char* kOptionsEnd = "--";

/// Splits "--name=" into the option and an empty argument, because CLI11 would take the next
/// argument as its value.
std::vector<std::string> with_empty_values_split(const std::vector<std::string>& arguments) {
  std::vector<std::string> split;
  bool are_options = true; // until "--"
  for (const std::string& argument : arguments) {
    are_options = are_options && argument != kOptionsEnd;
    if (are_options && argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      split.push_back(argument.substr(0, argument.size() - 1));
      split.emplace_back();
    } else {
      split.push_back(argument);
    }
  }
  return split;
}

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// Tells the user to see the help. That of "sdbench [run]" is "sdbench --help".
std::string see_help(const CLI::App& app) {
  const std::string& name = app.get_name();
  return "; see " + name.substr(0, name.find(" [")) + " --help";
}

void refuse_unknown(const CLI::App& app) {
  std::vector<std::string> unknown = app.remaining();
  const auto end = std::ranges::find(unknown, kOptionsEnd); // CLI11 does not remove it
  const bool is_behind_end = end == unknown.begin() && end != unknown.end();
  if (end != unknown.end()) {
    unknown.erase(end);
  }
  if (unknown.empty()) {
    return;
  }
  const std::string& first = unknown.front();
  if (is_behind_end || !first.starts_with('-')) {
    throw UsageError("arguments must be options, but there is " + in_quotes(first) + see_help(app));
  }
  const std::string name = first.substr(0, first.find('='));
  const std::string suggestion = did_you_mean(name, long_names(app));
  throw UsageError("unknown option " + in_quotes(name) +
                   (suggestion.empty() ? see_help(app) : suggestion));
}

/// Words CLI11's message in our way. It starts with the option's name (a flag's without dashes).
std::string mismatch_text(const CLI::App& app, const std::string& message) {
  const std::string first = message.substr(0, message.find_first_of(": "));
  const std::string name = first.starts_with('-') ? first : "--" + first;
  const CLI::Option* option = app.get_option_no_throw(name);
  const bool is_flag = option != nullptr && option->get_expected_max() == 0;
  return name + (is_flag ? " must be given without a value" : " must be followed by a value") +
         see_help(app);
}

/// An empty path is a mistake, such as an unset variable of a script; it never means "not given".
void refuse_empty_paths(const CLI::App& app) {
  for (const CLI::Option* const option : app.get_options()) {
    const std::string value_name = option->get_type_name();
    if (is_path_value(value_name) &&
        std::ranges::find(option->results(), "") != option->results().end()) {
      throw UsageError(option->get_name() + " must not be empty; leave it out, or give " +
                       value_name + see_help(app));
    }
  }
}

Json described_option(const CLI::Option& option) {
  std::vector<std::string> names =
      mapped(option.get_snames(), [&](const std::string& name) { return "-" + name; });
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  const std::string value = names.empty()                    ? in_capitals(option.get_name(true))
                            : option.get_expected_max() == 0 ? ""
                                                             : option.get_type_name();
  return {{"names", names},
          {"value", value},
          {"help", option.get_description()},
          {"group", option.get_group()}};
}

Json described(const CLI::App& app) {
  Json options = mapped(app.get_options(),
                        [](const CLI::Option* option) { return described_option(*option); });
  return {{"description", app.get_description()},
          {"footer", app.get_footer()},
          {"options", std::move(options)}};
}

/// Sets up what all subcommands share. Called last, so that --help is at the end of the help.
void set_up(CLI::App& app) {
  constexpr std::size_t kColumn = 34;
  app.get_formatter()->column_width(kColumn);
  app.set_help_flag("-h,--help", "this text")->group("Other");
  app.allow_extras();
}

} // namespace

CLI::Option* add_text_option(CLI::App& app, const std::string& names, const std::string& value_name,
                             const std::string& help, const std::string& group) {
  // The callback form stores nothing. results() keeps each text as typed, except for a tilde.
  CLI::Option* const option = app.add_option(
      names, [](const CLI::results_t&) { return true; }, help);
  option->type_name(value_name)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(group);
  if (is_path_value(value_name)) {
    option->transform(with_home, "", "");
  }
  return option;
}

CLI::Option* add_flag(CLI::App& app, const std::string& names, const std::string& help,
                      const std::string& group) {
  return app.add_flag(names, help)
      ->disable_flag_override()
      ->group(group); // std::string picks one of CLI11's overloads
}

std::string single_value(const CLI::Option* option, const std::string& otherwise) {
  if (option->count() > 1) {
    throw UsageError(option->get_name() + " must be given once, but is given " +
                     std::to_string(option->count()) + " times");
  }
  return option->count() == 0 ? otherwise : option->results().front();
}

CLI::Option* add_overwrite_flag(CLI::App& app, const std::string& group) {
  return add_flag(app, "--overwrite", "replace the file even if this loses data", group);
}

std::string help_section(const std::string& title,
                         const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [name, words] : rows) {
    width = std::max(width, name.size());
  }
  std::string text = title + ":";
  for (const auto& [name, words] : rows) {
    text += "\n  " + name + std::string(width + 2 - name.size(), ' ') + words;
  }
  return text;
}

LeadingWord leading_word(const std::vector<std::string>& arguments) {
  LeadingWord leading;
  leading.rest = arguments;
  auto word = leading.rest.begin();
  const bool are_options_ended = word != leading.rest.end() && *word == kOptionsEnd;
  if (are_options_ended) {
    ++word;
  }
  if (word == leading.rest.end()) {
    return leading;
  }
  leading.asks_for_help = !are_options_ended && (*word == "-h" || *word == "--help");
  if (!leading.asks_for_help) {
    leading.word = *word;
    leading.rest.erase(word);
  }
  return leading;
}

bool parse_arguments(CLI::App& app, const std::vector<std::string>& arguments, std::ostream& out,
                     std::vector<std::string>* others) {
  set_up(app);
  if (arguments.size() == 1 && arguments.front() == kDescribeOptions) {
    out << json_text(described(app)) << "\n";
    return false;
  }
  std::vector<std::string> reversed = with_empty_values_split(arguments);
  std::ranges::reverse(reversed);
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return false;
  } catch (const CLI::ArgumentMismatch& error) {
    throw UsageError(mismatch_text(app, error.what()));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  if (others != nullptr) {
    *others = app.remaining();
  } else {
    refuse_unknown(app);
  }
  refuse_empty_paths(app);
  return true;
}

CLI::Option* add_title_option(CLI::App& app, const std::string& group) {
  return add_text_option(app, "--title", "TEXT", "title line at the top", group);
}

std::string checked_title(const CLI::Option& option, std::string_view format) {
  constexpr std::size_t kMost = 200;
  std::string title = single_value(&option);
  if (option.count() == 0) {
    return {};
  }
  if (title.find_first_not_of(' ') == std::string::npos || message_line(title) != title) {
    throw UsageError("--title must be a line of text, but is " + in_quotes(title));
  }
  const std::size_t characters = decode_utf8(title).size();
  if (characters > kMost) {
    throw UsageError("--title must have at most " + std::to_string(kMost) +
                     " characters, but has " + std::to_string(characters));
  }
  if (format == "csv" || format == "json" || format == "junit") {
    throw UsageError("--title must be given with a format for people, but the format is " +
                     std::string(format) + "; leave it out");
  }
  return title;
}

} // namespace sdbench

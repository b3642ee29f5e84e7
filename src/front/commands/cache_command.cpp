#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/inventory/cache_list.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/other_engines/kept_entries.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {
namespace {

using Names = std::vector<std::string>;

std::string kinds_text() {
  const auto rows = mapped(kept_kinds(), [](const KeptKind& kind) {
    const char* how = kind.only_by_name ? "; clear removes them by name only" : "";
    return std::pair(std::string(kind.name), std::string(kind.words) + how);
  });
  return help_section("Kinds", rows);
}

Names checked_kinds(const Names& asked) {
  Names known;
  Names usual;
  for (const KeptKind& kind : kept_kinds()) {
    known.emplace_back(kind.name);
    if (!kind.only_by_name) {
      usual.emplace_back(kind.name);
    }
  }
  for (const std::string& name : asked) {
    if (std::ranges::find(known, name) == known.end()) {
      throw UsageError("cache clear must be followed by " + listed(known) +
                       ", but is followed by " + in_quotes(name) + did_you_mean(name, known));
    }
  }
  return asked.empty() ? usual : asked;
}

void say_links(const KeptEntries& kept, const Streams& streams) {
  for (const auto& link : kept.links) {
    streams.say(one_line(link.string()) + " is a link, whose target is left alone");
  }
}

int list_cache(CLI::App& app, const Names& arguments, const Streams& streams) {
  app.footer(kinds_text());
  const CLI::Option* const format =
      add_text_option(app, "--format", "NAME", "table, csv or json (table)", "Output");
  if (!parse_arguments(app, arguments, streams.out)) {
    return kExitSuccess;
  }
  const std::string name = format->results().empty() ? "table" : format->results().back();
  if (name != "table" && name != "csv" && name != "json") {
    throw UsageError("--format must be table, csv or json, but is " + in_quotes(name));
  }
  const KeptEntries kept = kept_entries();
  streams.out << (name == "json"  ? cache_json(kept)
                  : name == "csv" ? cache_csv(kept)
                                  : streams.shown(cache_table(kept, streams.screen())));
  say_links(kept, streams);
  return kExitSuccess;
}

std::string amount_text(std::size_t count, std::int64_t bytes) {
  return bytes_text(bytes) + " (" + counted(static_cast<std::int64_t>(count), "item") + ")";
}

/// Asks the user unless `yes`. Throws UsageError if there is nobody to ask.
bool may_remove(const std::vector<KeptEntry>& entries, const Names& kinds, bool yes,
                const Streams& streams) {
  if (yes) {
    return true;
  }
  if (!can_ask()) {
    throw UsageError("cache clear must have --yes if there is no terminal to ask on, but has not; "
                     "add --yes, or see sdbench cache list");
  }
  std::int64_t bytes = 0;
  for (const KeptEntry& entry : entries) {
    bytes += entry.bytes;
  }
  return says_yes("remove " + amount_text(entries.size(), bytes) + " of " + listed(kinds, "and") +
                      "?",
                  streams);
}

int say_cleared(const ClearedEntries& cleared, const Streams& streams) {
  for (const auto& path : cleared.busy) {
    streams.say(one_line(path.string()) + " is left alone: another process is making it");
  }
  for (const std::string& failure : cleared.failures) {
    streams.say(failure);
  }
  streams.out << "freed " << amount_text(cleared.count, cleared.bytes) << "\n";
  return cleared.failures.empty() ? kExitSuccess : kExitFailure;
}

int clear_cache(CLI::App& app, const Names& arguments, const Streams& streams) {
  app.footer(kinds_text());
  Names asked;
  app.add_option("KIND", asked, "which kinds (all but those removed by name only)")
      ->group("Options");
  const CLI::Option* const yes = add_flag(app, "-y,--yes", "do not ask", "Options");
  if (!parse_arguments(app, arguments, streams.out)) {
    return kExitSuccess;
  }
  const Names kinds = checked_kinds(asked);
  const KeptEntries kept = kept_entries();
  say_links(kept, streams);
  const auto entries = filtered(kept.entries, [&](const KeptEntry& entry) {
    return std::ranges::find(kinds, entry.kind) != kinds.end();
  });
  if (entries.empty()) {
    streams.out << "nothing of " << listed(kinds, "and") << " is kept\n";
    return kExitSuccess;
  }
  if (!may_remove(entries, kinds, yes->count() > 0, streams)) {
    streams.out << "nothing was removed\n";
    return kExitSuccess;
  }
  return say_cleared(clear_entries(entries), streams);
}

struct Action {
  std::string name;
  std::string description;
  int (*run)(CLI::App& app, const Names& arguments, const Streams& streams);
};

const std::vector<Action>& actions() {
  static const std::vector<Action> table = {
      {"list", "Lists the files kept for later runs, with their size and last use.", list_cache},
      {"clear", "Removes files kept for later runs, which make them again if needed.", clear_cache},
  };
  return table;
}

int show_help(CLI::App& app, const Names& arguments, const Streams& streams) {
  const auto rows = mapped(
      actions(), [](const Action& action) { return std::pair(action.name, action.description); });
  app.footer(help_section("Actions", rows) + "\n\n" + kinds_text());
  static_cast<void>(parse_arguments(app, arguments, streams.out));
  return kExitSuccess;
}

Action action_of(const LeadingWord& leading) {
  if (leading.asks_for_help) {
    return {"ACTION", "Lists or removes files kept for later runs.", show_help};
  }
  const auto found = std::ranges::find(actions(), leading.word, &Action::name);
  if (found == actions().end()) {
    throw UsageError("cache must be followed by list or clear, but is followed by " +
                     (leading.word.empty() ? "nothing" : in_quotes(leading.word)) +
                     "; write sdbench cache list");
  }
  return *found;
}

} // namespace

int cache_command(const Names& arguments, const Streams& streams) {
  const LeadingWord leading = leading_word(arguments);
  const Action action = action_of(leading);
  CLI::App app(action.description, "sdbench cache " + action.name);
  return action.run(app, leading.rest, streams);
}

} // namespace sdbench

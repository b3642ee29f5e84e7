#include "setup_command.h"

#include <algorithm>
#include <filesystem>

#include "choose_worker.h"
#include "sdbench/base/config/engine_table.h"
#include "sdbench/base/core/engine.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/core/suggestion.h"
#include "sdbench/front/cli/arguments.h"
#include "sdbench/front/cli/exit_code.h"
#include "sdbench/front/engines/set_up_engine.h"

namespace sdbench {
namespace {

constexpr const char* kSetupExamples =
    "Examples:\n"
    "  sdbench setup engine pytorch openvino\n"
    "  sdbench setup engine onnxruntime --from wheels/     # without a network\n"
    "What is there, and what each needs: sdbench list engines.";

const EngineRow& engine_named(const std::string& name) {
  if (const EngineRow* const row = find_engine_row(name)) {
    return *row;
  }
  if (is_own_engine(name)) {
    throw UsageError("setup engine must name an engine of others, but " + name +
                     " is sdbench's own and needs nothing");
  }
  std::vector<std::string> names;
  std::ranges::transform(engine_table(), std::back_inserter(names),
                         [](const EngineRow& row) { return std::string(row.name); });
  throw UsageError("setup engine must be followed by " + listed(names) + ", but is by " +
                   in_quotes(name) + did_you_mean(name, names));
}

} // namespace

int setup_command(const std::vector<std::string>& arguments, const Streams& streams) {
  CLI::App app("Installs what engines of others need, each in an environment of its own.",
               "sdbench setup engine");
  app.footer(kSetupExamples);
  std::vector<std::string> names;
  app.add_option("NAME", names, "of sdbench list engines")->group("Options");
  const CLI::Option* wheels = add_text_option(
      app, "--from", "FOLDER", "install from this folder of wheels, not from PyPI", "Options");
  const LeadingWord leading = leading_word(arguments);
  if (!leading.asks_for_help && leading.word != "engine") {
    throw UsageError("setup must be followed by engine and a name, but is by " +
                     (leading.word.empty() ? "nothing" : in_quotes(leading.word)) +
                     "; write sdbench setup engine pytorch");
  }
  if (!parse_arguments(app, leading.rest, streams.out)) {
    return kExitSuccess;
  }
  if (names.empty()) {
    throw UsageError("setup engine must be followed by a name; see sdbench list engines");
  }
  std::vector<const EngineRow*> rows;
  std::ranges::transform(names, std::back_inserter(rows),
                         [](const std::string& name) { return &engine_named(name); });
  const std::filesystem::path folder = wheels->results().empty() ? "" : wheels->results().back();
  for (const EngineRow* const row : rows) {
    if (const int code = set_up_engine(*row, chosen_worker(), folder); code != 0) {
      return code;
    }
  }
  return kExitSuccess;
}

} // namespace sdbench

#include "sdbench/cli/run_arguments.h"

#include "sdbench/cli/arguments.h"
#include "sdbench/cli/version_text.h"
#include "sdbench/core/error.h"

namespace sdbench {
namespace {

constexpr const char* kDescription =
    R"(Measures diffusion inference, from prompt to image to a row of figures.

Commands:
  run             measure one model at one setting (the default)
  list models     the architectures that come with sdbench
  export-weights  write synthetic weights as a diffusers folder
Each takes --help.
)";

constexpr const char* kExamples =
    R"(Examples:
  sdbench --model sd15                                   the model's usual setting
  sdbench --model sdxl --size 768x768 --steps 30 -o gpu.csv
  sdbench --model tiny-sd15 --no-save --format json      no weights, under a second
  sdbench --weights ./my-checkpoint --save-images out    any diffusers folder
  sdbench --config nightly.json --label "after upgrade"  options from a file

Without weights of its own, sdbench computes with synthetic ones: the speed is real, the image is
noise. Exit code: 0 good, 1 a file, device or the machine refused, 2 wrong command, 130 interrupted.)";

std::string option_names(const RunOption& option) {
  const std::string name(option.name);
  std::string names = option.letter == 0 ? "" : std::string("-") + option.letter + ",";
  names += "--" + name;
  // karras may be switched off where the model has it on; the other flags are off unless given.
  return option.name == "karras" ? names + ",!--no-karras" : names;
}

void add_options(CLI::App& app) {
  for (const RunOption& option : run_options()) {
    const std::string help(option.help);
    if (option.kind == OptionKind::kFlag) {
      add_flag(app, option_names(option), help, std::string(option.group));
    } else {
      add_text_option(app, option_names(option), std::string(option.value_name), help,
                      std::string(option.group));
    }
  }
}

Json given_values(const CLI::App& app) {
  Json values = Json::object();
  for (const RunOption& option : run_options()) {
    const CLI::Option* given = app.get_option("--" + std::string(option.name));
    if (given->count() == 0) {
      continue;
    }
    const bool is_flag = option.kind == OptionKind::kFlag;
    values[std::string(option.name)] = parse_option_value(
        option, is_flag ? CLI::results_t{given->as<bool>() ? "true" : "false"} : given->results());
  }
  return values;
}

} // namespace

std::optional<RunArguments> parse_run_arguments(const std::vector<std::string>& arguments,
                                                std::ostream& out) {
  CLI::App app(kDescription, "sdbench [run]");
  set_up(app);
  app.footer(kExamples);
  add_options(app);
  const CLI::Option* config = add_text_option(
      app, "--config", "FILE", "options from a JSON file, under the same names", "Other");
  const CLI::Option* verbose =
      add_flag(app, "-v,--verbose", "say more, the worker's words too", "Other");
  const CLI::Option* quiet = add_flag(app, "-q,--quiet", "only warnings and errors", "Other");
  const CLI::Option* version_flag =
      add_flag(app, "--version", "version, commit and workers", "Other");
  if (!parse_arguments(app, arguments, out)) {
    return std::nullopt;
  }
  if (version_flag->count() > 0) {
    out << version_text();
    return std::nullopt;
  }
  RunArguments parsed;
  for (const std::string& file : config->results()) {
    apply_config_file(parsed.options, file);
  }
  apply_options(parsed.options, given_values(app), "--");
  if (verbose->count() > 0 && quiet->count() > 0) {
    throw UsageError("--verbose must stand alone, but is given beside --quiet; leave one out");
  }
  parsed.verbosity = verbose->count() > 0 ? 1 : quiet->count() > 0 ? -1 : 0;
  return parsed;
}

} // namespace sdbench

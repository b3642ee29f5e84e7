#include "sdbench/front/options/run_arguments.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/preset_catalog.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/system/build_info.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/options/run_option_arguments.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/sink/sink_set.h"
#include "sdbench/front/terminal/command_table.h"

namespace sdbench {
namespace {

std::string run_description() {
  const auto rows = mapped<std::pair<std::string, std::string>>(
      kCommandLines, [](const CommandLine& line) { return std::pair(line.words, line.summary); });
  return "Measures diffusion inference, from prompt to image, and networks that classify images, "
         "in\n"
         "inference and training. Each measurement gives a row of figures.\n\n" +
         help_section("Commands", rows) + "\nEach takes --help.\n";
}

constexpr const char* kExamples =
    R"(Examples:
  sdbench --model sd15                                   the model's default settings
  sdbench --model sdxl --size 768x768 --steps 30 -o gpu.csv
  sdbench --model tiny-sd15 --no-save --format json      needs no weights, takes a second or two
  sdbench --weights ./my-checkpoint --save-images out    a diffusers folder
  sdbench --model vgg16 --task infer,train --batch 16    a classifier, in inference and training
  sdbench --batch 1,2,4,8 --dtype fp32,fp16 -o gpu.csv   each combination gives a row
  sdbench --preset lake-house --dry-run                  what a sweep would run, and what it needs
  sdbench --config nightly.json --label "after upgrade"  options from a file
  sdbench --batch 1,2,4,8 -o gpu.csv --resume            the rest of an interrupted sweep

Environment: SDBENCH_WEIGHTS (a checkpoint, or a folder of them), HF_HUB_CACHE and HF_HOME (the
Hugging Face cache), SDBENCH_DATA (the data for --epochs), SDBENCH_LIBTORCH (a version or a
path), NO_COLOR.
If no weights are found, synthetic ones are used: the speed is real, the image is noise.
Options with a number, size or choice take lists (a,b,c). Each combination is a cell: one row.
Exit code: 0 all cells good, 3 some good, 1 none good, or rows not written; 2 wrong command,
130 interrupted.)";

Json given_values(const CLI::App& app) {
  Json values = Json::object();
  for (const RunOption& option : run_options()) {
    if (Json value = given_run_value(app, option); !value.is_null()) {
      values[std::string(option.name)] = std::move(value);
    }
  }
  return values;
}

void refuse_samples_without_looks(const RunOptions& options) {
  if (!options.telemetry.empty() && options.telemetry_interval_s == 0) {
    throw UsageError("--telemetry must have sensor readings to write, but --telemetry-interval 0 "
                     "switches them off; leave one of them out");
  }
}

/// Refuses one file for samples and rows: one would be refused because of the other's header, or be
/// replaced by it.
void refuse_shared_file(const RunOptions& options) {
  if (options.telemetry.empty()) {
    return;
  }
  const auto resolved = [](const std::filesystem::path& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file));
  };
  const bool default_files = options.outputs.empty() && !options.no_save;
  const auto outputs = default_files ? default_output_files(host_name()) : options.outputs;
  if (std::ranges::count(outputs, resolved(options.telemetry), resolved) > 0) {
    throw UsageError("--telemetry must name a file of its own, but " + options.telemetry.string() +
                     " is where the rows go; name another");
  }
}

} // namespace

std::optional<RunArguments> parse_run_arguments(const std::vector<std::string>& arguments,
                                                std::ostream& out, const EnginesOfDevice& all) {
  CLI::App app(run_description(), "sdbench [run]");
  app.footer(kExamples);
  for (const RunOption& option : run_options()) {
    add_run_option(app, option);
  }
  const CLI::Option* preset = add_text_option(
      app, "--preset", "NAME", "a named set of options; see 'list presets'", "Other");
  const CLI::Option* config =
      add_text_option(app, "--config", "FILE",
                      "options from a JSON file; its keys are the options' names", "Other");
  const CLI::Option* verbose =
      add_flag(app, "-v,--verbose", "print more, also the worker's output", "Other");
  const CLI::Option* quiet = add_flag(app, "-q,--quiet", "only warnings and errors", "Other");
  const CLI::Option* version_flag =
      add_flag(app, "--version", "version, commit and workers", "Other");
  const CLI::Option* json = add_flag(app, "--json", "with --version: all facts, as JSON", "Other");
  if (!parse_arguments(app, arguments, out)) {
    return std::nullopt;
  }
  if (version_flag->count() > 0) {
    out << (json->count() > 0 ? version_json() : version_text());
    return std::nullopt;
  }
  if (json->count() > 0) {
    throw UsageError("--json must be given with --version, but is given without it; for rows as "
                     "JSON write --format json");
  }
  RunArguments parsed;
  OptionLayers layers;
  for (const std::string& name : preset->results()) {
    layers.add_file(preset_file(name));
  }
  for (const std::string& file : config->results()) {
    layers.add_file(file);
  }
  layers.add(given_values(app), "--");
  ExpandedOptions expanded = layers.expanded(all);
  parsed.cells = std::move(expanded.cells);
  parsed.absent = std::move(expanded.absent);
  parsed.options = parsed.cells.front();
  refuse_samples_without_looks(parsed.options);
  refuse_shared_file(parsed.options);
  if (verbose->count() > 0 && quiet->count() > 0) {
    throw UsageError(
        "--verbose must be given without --quiet, but is given with it; leave one out");
  }
  parsed.verbosity = verbose->count() > 0 ? 1 : quiet->count() > 0 ? -1 : 0;
  return parsed;
}

std::string version_text() {
  std::string workers =
      joined(mapped(list_workers(libexec_folder()), &WorkerProgram::libtorch_version));
  if (workers.empty()) {
    workers = "no worker in " + libexec_folder().string();
  }
  return "sdbench  " + std::string(version()) + "\ncommit   " + std::string(git_sha()) +
         "\nbuild    " + std::string(build_type()) + "\nlibtorch " + workers + "\n";
}

std::string version_json() {
  const auto workers = mapped(list_workers(libexec_folder()), [](const WorkerProgram& worker) {
    return nlohmann::ordered_json{{"libtorch_version", worker.libtorch_version},
                                  {"program", worker.path.string()}};
  });
  const nlohmann::ordered_json facts = {
      {"sdbench_version", version()},  {"git_sha", git_sha()},
      {"build_type", build_type()},    {"schema_version", kSchemaVersion},
      {"workers", std::move(workers)}, {"cache_folder", cache_folder().string()}};
  return facts.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace sdbench

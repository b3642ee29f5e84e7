#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/inventory/choose_worker.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/other_engines/set_up_engine.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {
namespace {

constexpr const char* kSetupExamples =
    "Examples:\n"
    "  sdbench setup engine pytorch openvino\n"
    "  sdbench setup engine onnxruntime --from wheels/     # without a network\n"
    "sdbench list engines says what each needs.\n"
    "'sdbench setup libtorch --help' explains the libtorch of an installed package.";

constexpr const char* kLibtorchExamples =
    "Examples:\n"
    "  sdbench setup libtorch 2.11.0\n"
    "  sdbench setup libtorch 2.11.0 --from wheels/        # without a network\n"
    "libtorch is put into sdbench's cache folder: see sdbench cache list. A torch folder that you\n"
    "already have needs no set-up: SDBENCH_LIBTORCH=FOLDER.";

const EngineRow& engine_named(const std::string& name) {
  if (const EngineRow* const row = find_engine_row(name)) {
    return *row;
  }
  if (is_own_engine(name)) {
    throw UsageError("setup engine must name another program's engine, but " + name +
                     " is sdbench's own and needs nothing");
  }
  const auto names = mapped<std::string>(other_engine_table(), &EngineRow::name);
  throw UsageError("setup engine must be followed by " + listed(names) + ", but is followed by " +
                   in_quotes(name) + did_you_mean(name, names));
}

int set_up_engines(const std::vector<std::string>& arguments, const Streams& streams) {
  CLI::App app("Installs the packages of other engines, in environments of their own.",
               "sdbench setup engine");
  app.footer(kSetupExamples);
  std::vector<std::string> names;
  app.add_option("NAME", names, "one of 'sdbench list engines'")->group("Options");
  const CLI::Option* wheels = add_text_option(
      app, "--from", "FOLDER", "install from this folder of wheels instead of PyPI", "Options");
  if (!parse_arguments(app, arguments, streams.out)) {
    return kExitSuccess;
  }
  if (names.empty()) {
    throw UsageError("setup engine must be followed by a name; see sdbench list engines");
  }
  const auto rows = mapped(names, [](const std::string& name) { return &engine_named(name); });
  const std::filesystem::path folder = wheels->results().empty() ? "" : wheels->results().back();
  for (const EngineRow* const row : rows) {
    if (const int code = set_up_engine(*row, chosen_worker(), folder); code != 0) {
      return code;
    }
  }
  return kExitSuccess;
}

/// The worker that is packaged without this version of libtorch.
WorkerProgram worker_without(const std::string& version) {
  std::vector<std::string> versions;
  for (WorkerProgram& worker : list_workers(libexec_folder())) {
    if (worker.needs_libtorch && worker.libtorch_version == version) {
      return has_cuda_driver() ? worker : without_cuda(std::move(worker));
    }
    if (worker.needs_libtorch) {
      versions.push_back(worker.libtorch_version);
    }
  }
  throw UsageError(versions.empty()
                       ? "setup libtorch must have a worker that came without its libtorch, as in "
                         "a package, but each worker here has its own"
                       : "setup libtorch must be followed by the version of a worker, " +
                             listed(versions) + ", but is followed by " + in_quotes(version));
}

int set_up_libtorch(const std::vector<std::string>& arguments, const Streams& streams) {
  CLI::App app("Downloads the libtorch of a worker that came without one, as in a package.",
               "sdbench setup libtorch");
  app.footer(kLibtorchExamples);
  std::string version;
  app.add_option("VERSION", version, "one of 'sdbench --version'")->group("Options");
  const CLI::Option* wheel = add_text_option(
      app, "--from", "PATH", "a torch wheel, with NVIDIA's beside it, instead of PyPI", "Options");
  if (!parse_arguments(app, arguments, streams.out)) {
    return kExitSuccess;
  }
  const WorkerProgram worker = worker_without(version);
  const std::filesystem::path folder = set_up_libtorch_folder(version);
  if (folder.empty()) {
    throw Error("HOME or XDG_CACHE_HOME must name a folder for what is kept, but neither does");
  }
  std::vector<std::string> command = {
      "python3", "-I",    "-B",       share_folder() / "engines" / "set_up_libtorch.py",
      folder,    version, worker.path};
  if (wheel->count() > 0) {
    command.insert(command.end(), {"--from", wheel->results().back()});
  }
  return run_set_up(std::move(command));
}

} // namespace

int setup_command(const std::vector<std::string>& arguments, const Streams& streams) {
  const LeadingWord leading = leading_word(arguments);
  if (leading.asks_for_help || leading.word == "engine") {
    return set_up_engines(leading.rest, streams);
  }
  if (leading.word == "libtorch") {
    return set_up_libtorch(leading.rest, streams);
  }
  throw UsageError("setup must be followed by engine or libtorch, but is followed by " +
                   (leading.word.empty() ? "nothing" : in_quotes(leading.word)) +
                   "; write sdbench setup engine pytorch");
}

} // namespace sdbench

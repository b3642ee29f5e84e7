#include "sdbench/front/commands/app.h"

#include <algorithm>
#include <exception>
#include <iterator>

#include "cache_command.h"
#include "compare_command.h"
#include "export_command.h"
#include "list_command.h"
#include "merge_command.h"
#include "quality_command.h"
#include "report_command.h"
#include "reproduce_command.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/message_of.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/commands/run_command.h"
#include "sdbench/front/inventory/choose_worker.h"
#include "sdbench/front/terminal/exit_code.h"
#include "setup_command.h"
#include "slurm_command.h"
#include "trend_command.h"

namespace sdbench {
namespace {

using Arguments = std::vector<std::string>;

struct Command {
  std::string name;
  int (*run)(const Arguments& arguments, const Streams& streams);
};

int run_with_worker(const Arguments& arguments, const Streams& streams) {
  return run_command(arguments, streams,
                     [](WorkerOptions& options) { return make_engine_executor(options); });
}

int list_with_worker(const Arguments& arguments, const Streams& streams) {
  return list_command(arguments, streams,
                      [](WorkerOptions& options) { return make_engine_executor(options); });
}

int quality_with_worker(const Arguments& arguments, const Streams& streams) {
  return quality_command(arguments, streams,
                         [](WorkerOptions& options) { return make_engine_executor(options); });
}

int reproduce_with_worker(const Arguments& arguments, const Streams& streams) {
  return reproduce_command(arguments, streams,
                           [](WorkerOptions& options) { return make_engine_executor(options); });
}

int compare_with_worker(const Arguments& arguments, const Streams& streams) {
  return compare_command(arguments, streams,
                         [](WorkerOptions& options) { return make_engine_executor(options); });
}

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"run", run_with_worker},           {"list", list_with_worker},
      {"compare", compare_with_worker},   {"trend", trend_command},
      {"report", report_command},         {"merge", merge_command},
      {"quality", quality_with_worker},   {"reproduce", reproduce_with_worker},
      {"export-weights", export_command}, {"setup", setup_command},
      {"cache", cache_command},           {"slurm", slurm_command},
  };
  return table;
}

/// Runs the command that the first word names. Without a word, options belong to `sdbench run`.
int dispatch(const Arguments& arguments, const Streams& streams) {
  const auto says_more = [](const std::string& argument) {
    return argument == "--verbose" ||
           (argument.starts_with("-v") && argument.find_first_not_of('v', 1) == std::string::npos);
  };
  if (!arguments.empty() && std::ranges::all_of(arguments, says_more)) {
    throw UsageError(arguments[0] + " must stand beside what is to be done, but stands alone; "
                                    "write sdbench --version, or sdbench run -v");
  }
  if (arguments.empty() || arguments.front().starts_with('-')) {
    return run_with_worker(arguments, streams);
  }
  const std::string& word = arguments.front();
  const auto found = std::ranges::find(commands(), word, &Command::name);
  if (found == commands().end()) {
    Arguments names;
    std::ranges::transform(commands(), std::back_inserter(names), &Command::name);
    std::string words;
    for (const std::string& name : names) {
      words += std::string(words.empty() ? "" : name == names.back() ? " or " : ", ") + name;
    }
    names.insert(names.end(), {"--help", "--version"});
    throw UsageError("the command must be " + words + ", but is " + in_quotes(word) +
                     did_you_mean(word, names));
  }
  return found->run({arguments.begin() + 1, arguments.end()}, streams);
}

} // namespace

int run(const std::vector<std::string>& arguments, const Streams& streams) {
  try {
    const int code = dispatch(arguments, streams);
    if (!streams.out.flush()) {
      if (is_reader_gone(streams)) {
        return code == kExitSuccess ? kExitReaderGone : code;
      }
      throw Error("cannot write to standard output: it is closed or full");
    }
    return code;
  } catch (const Error& error) {
    streams.say(error.what());
    return exit_code(error.blame());
  } catch (const std::exception& error) {
    streams.say(message_of(error)); // the machine refused: std::bad_alloc, a file system's error
    return kExitFailure;
  }
}

} // namespace sdbench

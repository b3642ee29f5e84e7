#include "sdbench/front/commands/app.h"

#include <algorithm>
#include <exception>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/message_of.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/inventory/choose_worker.h"
#include "sdbench/front/terminal/exit_code.h"

namespace sdbench {
namespace {

using Arguments = std::vector<std::string>;

struct Command {
  std::string name;
  int (*run)(const Arguments& arguments, const Streams& streams);
};

template <auto kCommand>
int with_worker(const Arguments& arguments, const Streams& streams) {
  return kCommand(arguments, streams, make_engine_executor);
}

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"run", with_worker<run_command>},
      {"list", with_worker<list_command>},
      {"probe", with_worker<probe_command>},
      {"compare", with_worker<compare_command>},
      {"trend", trend_command},
      {"report", report_command},
      {"merge", merge_command},
      {"quality", with_worker<quality_command>},
      {"reproduce", with_worker<reproduce_command>},
      {"export-weights", export_command},
      {"setup", setup_command},
      {"cache", cache_command},
      {"bugreport", bugreport_command},
      {"slurm", slurm_command},
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
    throw UsageError(arguments[0] + " must be given with a command or its options, but is given "
                                    "without them; write sdbench --version, or sdbench run -v");
  }
  if (arguments.empty() || arguments.front().starts_with('-')) {
    return with_worker<run_command>(arguments, streams);
  }
  const std::string& word = arguments.front();
  const auto found = std::ranges::find(commands(), word, &Command::name);
  if (found == commands().end()) {
    Arguments names = mapped(commands(), &Command::name);
    const std::string words = listed(names);
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

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/run_config.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {

/// When a sweep measures what its devices can do, see SweepProbes.
enum class ProbeUse {
  kAuto, ///< every minute, and behind the last cell; on a CPU from two minutes on
  kOn,   ///< behind each cell
  kOff,
};

/// All options of `sdbench run`: those of one cell, and those for output and sweep (all cells).
struct RunOptions {
  RunConfig cell;
  bool model_given = false; ///< true if the user gave --model
  std::vector<std::filesystem::path> outputs;
  bool no_save = false;
  bool overwrite = false;       ///< true: replaces an output file even if that loses data
  std::string format = "table"; ///< format of standard output
  std::string label;
  std::string note;
  std::string tags;       ///< user-defined KEY=VALUE tags: "cooler=air room_c=21", see joined_tags
  double timeout_s = 600; ///< limit for the time without any message from the worker, seconds
  std::filesystem::path telemetry;   ///< CSV file for all sensor readings; empty: not written
  double telemetry_interval_s = 0.1; ///< seconds between sensor readings; 0: sensors are not read
  std::int64_t rounds = 1;           ///< number of times that the whole sweep runs
  /// Number of times that each cell runs, each time in a fresh worker process. Empty: once, in a
  /// worker that is kept for further cells.
  std::optional<std::int64_t> restarts;
  double cooldown_s = 0; ///< pause between two cells, seconds
  /// Maximum seconds to wait before each cell until other programs leave enough cores free.
  double wait_quiet_s = 0;
  ProbeUse probe = ProbeUse::kAuto;
  bool keep_going = false;   ///< true: tries larger batches even after one ran out of memory
  bool resume = false;       ///< true: skips cells that the output files already contain
  bool retry_failed = false; ///< with resume: repeats the cells whose row reports a failure
  bool dry_run = false;      ///< true: only prints what would run
  bool yes = false;          ///< true: installs missing packages of external engines without asking
};

enum class OptionKind { kText, kTextList, kInteger, kIntegerOrAuto, kUnsigned, kNumber, kFlag };

/// Whether one value of an option applies to one cell or to the whole `sdbench run`.
enum class OptionScope {
  kAxis, ///< one cell; a list of values makes one cell for each value
  kCell, ///< one cell; never an axis
  kRun,  ///< the whole `sdbench run`; not allowed inside "cells" of a config file
};

/// Whether an option may be combined with --epochs.
enum class WithEpochs {
  kEither, ///< allowed with and without --epochs
  kOnly,   ///< allowed only with --epochs
  kNever,  ///< not allowed with --epochs, which determines the option's value
};

/// One option of `sdbench run`. It has the same name on the command line (--name) and in a config
/// file ("name").
struct RunOption {
  std::string_view name;
  char letter; ///< letter of the short form on the command line; 0: no short form
  OptionKind kind;
  std::string_view value_name; ///< placeholder of the value in --help: "N", "WxH"; empty for a flag
  std::string_view group;      ///< heading of the option's group in --help
  std::string_view help;
  /// Stores `value` in `options`. `value` has the type of `kind`; for kTextList it is an array of
  /// strings. Throws UsageError or Error.
  std::function<void(RunOptions& options, const Json& value)> apply;
  /// True: this flag has a second form, --no-NAME, which sets the option to false.
  bool can_be_negated = false;
  OptionScope scope = OptionScope::kAxis;
  std::span<const Task> tasks = {}; ///< tasks that support the option; empty: all tasks
  WithEpochs epochs = WithEpochs::kEither;
};

/// True if the task supports the option.
[[nodiscard]] bool has_option(Task task, const RunOption& option);
/// Why the option cannot be used with this task and model, and what to do instead. Empty if it can
/// be used. `model`: the model's name. `trains_epochs`: true if --epochs is given.
[[nodiscard]] std::string option_obstacle(const RunOption& option, Task task,
                                          const std::string& model, bool trains_epochs);

/// All options, in the order of --help.
[[nodiscard]] std::span<const RunOption> run_options();
/// The option with that name; nullptr if there is no such option.
[[nodiscard]] const RunOption* find_run_option(std::string_view name);

/// Converts an option's texts from the command line to JSON: one value of the option's kind, or a
/// list of values if the option is an axis. The user separates values by commas or repeats the
/// option. A text that is the path of an existing file is not split at its commas. Throws
/// UsageError naming --NAME.
[[nodiscard]] Json parse_option_value(const RunOption& option,
                                      const std::vector<std::string>& texts);

/// Checks the option values of one source (the command line or a config file). `values`: an object
/// of values by option name; the value of an axis may be a list. `origin`: precedes option names in
/// errors, "--" or "FILE: ". Throws UsageError for:
/// - an unknown name (the error suggests the nearest known name)
/// - a value of the wrong type, or an impossible value
/// - an empty list, or a list that names a value twice
/// - size together with width or height
void check_options(const Json& values, const std::string& origin);

/// Stores values in `options`. `values`: an object of single values that check_options accepts.
/// They are applied in the order of the option table, so width and height override size.
void apply_options(RunOptions& options, const Json& values);

} // namespace sdbench

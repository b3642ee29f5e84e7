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
#include "sdbench/base/types/task.h"

namespace sdbench {

/// Everything that `sdbench run` can be told: the cell, and what to do with its record.
struct RunOptions {
  RunConfig cell;
  bool model_given = false; ///< true if the user named a model
  std::vector<std::filesystem::path> outputs;
  bool no_save = false;
  bool overwrite = false;       ///< replaces an output even if that loses data
  std::string format = "table"; ///< of what goes to standard output
  std::string label;
  std::string note;
  std::string tags;                     ///< "cooler=air room_c=21", see joined_tags
  double timeout_s = 600;               ///< longest silence of the worker
  std::filesystem::path telemetry;      ///< CSV of every sample; empty: none
  double telemetry_interval_s = 0.1;    ///< 0: no sensors are sampled
  std::int64_t rounds = 1;              ///< the whole sweep, one after the other
  std::optional<std::int64_t> restarts; ///< of a cell, each in a fresh worker; empty: it is kept
  double cooldown_s = 0;                ///< between two cells
  double wait_quiet_s = 0;              ///< before each cell, at most, for other programs to end
  bool keep_going = false;              ///< larger batches also after one ran out of memory
  bool resume = false;                  ///< without the cells that the outputs hold already
  bool retry_failed = false;            ///< resume: but with those that failed there
  bool dry_run = false;                 ///< say what would be done
  bool yes = false;                     ///< set up what engines of others lack, without asking
};

enum class OptionKind { kText, kTextList, kInteger, kIntegerOrAuto, kUnsigned, kNumber, kFlag };

/// What an option belongs to.
enum class OptionScope {
  kAxis, ///< a cell; a list of values makes a cell of each
  kCell, ///< a cell
  kRun,  ///< the whole run: it may not stand inside "cells"
};

/// Whether an option may be given together with --epochs.
enum class WithEpochs {
  kEither,
  kOnly,  ///< only with --epochs
  kNever, ///< never: --epochs determines its value
};

/// One option, by the same name on the command line (--name) and in a config file ("name").
struct RunOption {
  std::string_view name;
  char letter; ///< short form on the command line, or 0
  OptionKind kind;
  std::string_view value_name; ///< in the help: "N", "WxH"; empty for a flag
  std::string_view group;      ///< in the help
  std::string_view help;
  /// Takes a value of the option's kind; a list is an array of texts. Throws UsageError or Error.
  std::function<void(RunOptions& options, const Json& value)> apply;
  bool can_be_negated = false; ///< a flag that --no-NAME sets to false
  OptionScope scope = OptionScope::kAxis;
  std::span<const Task> tasks = {}; ///< tasks that have it; empty: all
  WithEpochs epochs = WithEpochs::kEither;
};

/// True if the task has the option.
[[nodiscard]] bool has_option(Task task, const RunOption& option);
/// Why the work cannot have the option, and what to do; empty if it can. `model`: name of the
/// model; `trains_epochs`: true if --epochs is given.
[[nodiscard]] std::string option_obstacle(const RunOption& option, Task task,
                                          const std::string& model, bool trains_epochs);

/// All of them, in the order of the help.
[[nodiscard]] std::span<const RunOption> run_options();
/// nullptr if there is none.
[[nodiscard]] const RunOption* find_run_option(std::string_view name);
[[nodiscard]] std::vector<std::string> run_option_names();

/// Texts of the command line as a value of the option's kind, or as a list of them for an axis,
/// whose values are separated by commas or by repetition (the path of an existing file is not
/// split). Throws UsageError naming --NAME.
[[nodiscard]] Json parse_option_value(const RunOption& option,
                                      const std::vector<std::string>& texts);

/// Checks values by option name, from one source (the command line, a config file), as an object;
/// those of axes may be lists. `origin` stands before an option's name in errors: "--" or "FILE: ".
/// Throws UsageError for an unknown name (with the nearest one), a value of a wrong kind, one that
/// cannot be, one that a list names twice, an empty list, and size beside width or height.
void check_options(const Json& values, const std::string& origin);

/// Applies single values that check_options would let pass, in the table's order: width and height
/// over size.
void apply_options(RunOptions& options, const Json& values);

} // namespace sdbench

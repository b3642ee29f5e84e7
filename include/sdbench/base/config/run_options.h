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
  std::string format = "table"; ///< of standard output
  std::string label;
  std::string note;
  std::string tags;                     ///< "cooler=air room_c=21", see joined_tags
  double timeout_s = 600;               ///< longest silence of the worker
  std::filesystem::path telemetry;      ///< CSV of every sample; empty: none
  double telemetry_interval_s = 0.1;    ///< 0: no sensors are sampled
  std::int64_t rounds = 1;              ///< repetitions of the whole sweep, one after the other
  std::optional<std::int64_t> restarts; ///< of each cell, in a fresh worker; empty: kept
  double cooldown_s = 0;                ///< between two cells
  double wait_quiet_s = 0;   ///< before each cell, longest wait for other programs to end
  bool keep_going = false;   ///< continues with larger batches after one ran out of memory
  bool resume = false;       ///< skips the cells that the outputs contain already
  bool retry_failed = false; ///< with resume: but repeats those that failed
  bool dry_run = false;      ///< only says what it would do
  bool yes = false;          ///< sets up missing parts of external engines without asking
};

enum class OptionKind { kText, kTextList, kInteger, kIntegerOrAuto, kUnsigned, kNumber, kFlag };

/// The scope of an option.
enum class OptionScope {
  kAxis, ///< a cell; a list of values makes a cell of each
  kCell, ///< a cell
  kRun,  ///< the whole run: it may not stand inside "cells"
};

/// An option's relation to --epochs; kEither: it may be given with or without.
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
/// Why this work cannot have the option, and what to do; empty if it can. `model`: the model's
/// name. `trains_epochs`: --epochs is given.
[[nodiscard]] std::string option_obstacle(const RunOption& option, Task task,
                                          const std::string& model, bool trains_epochs);

/// All of them, in the order of the help.
[[nodiscard]] std::span<const RunOption> run_options();
/// The option of that name; nullptr if unknown.
[[nodiscard]] const RunOption* find_run_option(std::string_view name);
[[nodiscard]] std::vector<std::string> run_option_names();

/// Converts texts of the command line to a value of the option's kind, or for an axis to a list of
/// values. Values are separated by commas, or the option is repeated; the path of an existing file
/// is not split. Throws UsageError naming --NAME.
[[nodiscard]] Json parse_option_value(const RunOption& option,
                                      const std::vector<std::string>& texts);

/// Checks values from one source (the command line, a config file), given as an object by option
/// name; those of axes may be lists. `origin` precedes an option's name in errors: "--" or "FILE:
/// ". Throws UsageError for an unknown name (with the nearest one), a value of a wrong kind, an
/// impossible value, one that a list names twice, an empty list, and size together with width or
/// height.
void check_options(const Json& values, const std::string& origin);

/// Applies single values that check_options accepts, in the table's order: width and height
/// override size.
void apply_options(RunOptions& options, const Json& values);

} // namespace sdbench

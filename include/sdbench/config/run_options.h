#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/config/run_config.h"
#include "sdbench/core/json_io.h"

namespace sdbench {

/// Everything that `sdbench run` can be told: the cell, and what to do with its record.
struct RunOptions {
  RunConfig cell;
  bool model_given = false; ///< whether the user named a model
  std::vector<std::filesystem::path> outputs;
  bool no_save = false;
  std::string format = "table"; ///< of what goes to standard output
  std::string label;
  std::string note;
  double timeout_s = 600;            ///< longest silence of the worker
  std::filesystem::path telemetry;   ///< CSV of every sample; empty: none
  double telemetry_interval_s = 0.1; ///< 0: no sensors are sampled
};

enum class OptionKind { kText, kTextList, kInteger, kUnsigned, kNumber, kFlag };

/// One option, by the same name on the command line (--name) and in a config file ("name").
struct RunOption {
  std::string_view name;
  char letter; ///< short form on the command line, or 0
  OptionKind kind;
  std::string_view value_name; ///< in the help: "N", "WxH"; empty for a flag
  std::string_view group;      ///< in the help
  std::string_view help;
  /// Takes a value of the option's kind; a list is an array of texts. Throws UsageError or Error.
  void (*apply)(RunOptions& options, const Json& value);
  bool can_be_negated = false; ///< a flag that --no-NAME sets to false
};

/// All of them, in the order of the help.
[[nodiscard]] std::span<const RunOption> run_options();
/// nullptr if there is none.
[[nodiscard]] const RunOption* find_run_option(std::string_view name);
[[nodiscard]] std::vector<std::string> run_option_names();

/// Texts of the command line as a value of the option's kind. Throws UsageError naming --NAME.
[[nodiscard]] Json parse_option_value(const RunOption& option,
                                      const std::vector<std::string>& texts);

/// Values by option name, from one source (the command line, or a config file), as an object.
/// `origin` stands before an option's name in errors: "--" or "FILE: ". Applied in the table's
/// order, later sources over earlier ones. Throws UsageError for an unknown name (with the nearest
/// one), a value of a wrong kind, and size beside width or height.
void apply_options(RunOptions& options, const Json& values, const std::string& origin);

/// Reads a config file, one JSON object of option names and values, and applies it. Throws
/// UsageError for what it says, Error if it cannot be read.
void apply_config_file(RunOptions& options, const std::filesystem::path& file);

} // namespace sdbench

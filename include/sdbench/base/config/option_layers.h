#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/core/json_io.h"

namespace sdbench {

/// The name for every engine that can run.
inline constexpr std::string_view kAllEngines = "all";
/// The engines that `--engine all` stands for on a device, by its name as it was asked for.
using EnginesOfDevice = std::function<std::vector<std::string>(const std::string& device)>;

/// Values that were asked of an engine that has no such axis, where they change nothing.
struct AbsentAxes {
  std::string engine;
  std::vector<std::string> options; ///< "--graphs"
};

/// What options ask for.
struct ExpandedOptions {
  std::vector<RunOptions> cells;
  std::vector<AbsentAxes> absent; ///< each engine once
};

/// Options from several sources, later ones over earlier ones, and the cells that they make.
class OptionLayers {
public:
  /// Values by option name; see check_options.
  void add(const Json& values, const std::string& origin);

  /// A config file: one JSON object of option names and values. Besides, "description" is a text
  /// for people, and "cells" is a list of objects with the options of explicit cells: over the
  /// file's other values, in place of an earlier source's cells, and under all of a later source.
  /// Throws UsageError for what it says, Error if it cannot be read.
  void add_file(const std::filesystem::path& file);

  /// The options of each cell: every combination of the values of all axes, the first axis of the
  /// option table slowest, for each explicit cell; the devices of a list are an axis unless they
  /// are to run in parallel. Axes that a cell's engine has not, and options that its task has not,
  /// are not said in it. Cells that are equal stand there once. At least one. Without `all` the
  /// engine "all" stays what it is. Throws UsageError if they are too many, and for an option that
  /// no cell has, unless a later source than its own says another model or task.
  [[nodiscard]] ExpandedOptions expanded(const EnginesOfDevice& all = {}) const;
  [[nodiscard]] std::vector<RunOptions> cells() const { return expanded().cells; }

private:
  /// The latest source says these.
  void note_source(const Json& values);

  int source_count_ = 0;
  std::map<std::string, int> sources_; ///< the number of the last source that says an option
  Json general_ = Json::object();
  std::optional<std::vector<Json>> explicit_cells_;
};

} // namespace sdbench

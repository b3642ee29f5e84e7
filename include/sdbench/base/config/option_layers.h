#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench {

/// Value of --engine that stands for every engine that can run on the device.
inline constexpr std::string_view kAllEngines = "all";
/// Function that returns the engines for `--engine all` on a device. `device`: the value of
/// --device.
using EnginesOfDevice = std::function<std::vector<std::string>(const std::string& device)>;

/// Engine options (engine_axis_table.h) that the user gave, but that have no effect because
/// `engine` does not support them.
struct AbsentAxes {
  std::string engine;
  std::vector<std::string> options; ///< with dashes: "--graphs"
};

/// The cells that the options request. A cell is one combination of option values; it becomes one
/// measurement and one row of results.
struct ExpandedOptions {
  std::vector<RunOptions> cells;
  std::vector<AbsentAxes> absent; ///< one entry per engine
};

/// Collects options from several sources (config files, the command line), where later sources
/// override earlier ones. Expands them to cells.
class OptionLayers {
public:
  /// Adds a source: a JSON object of values by option name. `origin` is used in errors. See
  /// check_options.
  void add(const Json& values, const std::string& origin);

  /// Adds a config file: one JSON object of option names and values. It may also have these keys:
  /// - "description": a text for people.
  /// - "cells": a list of objects, each with the options of one explicit cell. These options
  /// override the file's other values; options of later sources override these options. The list
  /// replaces the "cells" of earlier sources.
  /// Throws UsageError for wrong content, Error if the file cannot be read.
  void add_file(const std::filesystem::path& file);

  /// Returns the options of each cell; there is at least one cell. An axis is an option with a list
  /// of values. Every combination of the axes' values becomes a cell, ordered as by nested loops:
  /// the option table's first axis is outermost. Each explicit cell is expanded in this way.
  /// - A list of devices is an axis too, unless the devices run in parallel.
  /// - Options that a cell's engine or task does not support are left out of the cell. Of cells
  /// that are then equal, only the first is returned.
  /// - The engine "all" becomes the engines that the function `all` returns; without the function,
  /// it stays "all".
  /// Throws UsageError for too many cells, and for an option that no cell's task supports. But if
  /// the model, the task or --epochs comes from a later source than the option, the option is left
  /// out without an error.
  [[nodiscard]] ExpandedOptions expanded(const EnginesOfDevice& all = {}) const;
  /// Only the cells of expanded().
  [[nodiscard]] std::vector<RunOptions> cells() const { return expanded().cells; }

private:
  /// Records in `sources_` that the latest source sets these values.
  void note_source(const Json& values);

  int source_count_ = 0;
  /// For each option, the index of the last source that sets it.
  std::map<std::string, int> sources_;
  Json general_ = Json::object();
  std::optional<std::vector<Json>> explicit_cells_;
};

} // namespace sdbench

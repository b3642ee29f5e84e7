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

/// The name for every engine that can run.
inline constexpr std::string_view kAllEngines = "all";
/// Returns the engines that `--engine all` means on a device, which is named as it was asked for.
using EnginesOfDevice = std::function<std::vector<std::string>(const std::string& device)>;

/// Options that were given for an engine without such an axis. They have no effect there.
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
  /// are to run in parallel. A cell lacks the axes that its engine does not have and the options
  /// that its task does not have. Equal cells are given once. Returns at least one. Without `all`,
  /// the engine "all" is not replaced. Throws UsageError if there are too many cells, and for an
  /// option that no cell has, unless a later source than the option's own sets another model or
  /// task.
  [[nodiscard]] ExpandedOptions expanded(const EnginesOfDevice& all = {}) const;
  [[nodiscard]] std::vector<RunOptions> cells() const { return expanded().cells; }

private:
  /// Notes that the latest source sets these values.
  void note_source(const Json& values);

  int source_count_ = 0;
  std::map<std::string, int> sources_; ///< number of the last source that sets an option
  Json general_ = Json::object();
  std::optional<std::vector<Json>> explicit_cells_;
};

} // namespace sdbench

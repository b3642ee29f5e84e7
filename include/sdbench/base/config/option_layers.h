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
/// Returns the engines for `--engine all` on a device, which is named as the user named it.
using EnginesOfDevice = std::function<std::vector<std::string>(const std::string& device)>;

/// Given options whose axis an engine lacks. They have no effect there.
struct AbsentAxes {
  std::string engine;
  std::vector<std::string> options; ///< "--graphs"
};

/// The cells that options ask for.
struct ExpandedOptions {
  std::vector<RunOptions> cells;
  std::vector<AbsentAxes> absent; ///< each engine once
};

/// Options from several sources, where later sources override earlier ones, and the cells that they
/// make.
class OptionLayers {
public:
  /// Values by option name; see check_options.
  void add(const Json& values, const std::string& origin);

  /// A config file: one JSON object of option names and values. It may also have "description", a
  /// text for people, and "cells", a list of objects with the options of explicit cells. These
  /// override the file's other values and replace an earlier source's cells; a later source
  /// overrides them. Throws UsageError for wrong content, Error if the file cannot be read.
  void add_file(const std::filesystem::path& file);

  /// The options of each cell: every combination of the values of all axes, for each explicit cell,
  /// where the first axis of the option table changes slowest. The devices of a list are an axis
  /// unless they run in parallel. A cell lacks the axes that its engine does not have and the
  /// options that its task does not have. Equal cells are given once. Returns at least one. Without
  /// `all`, the engine "all" is not replaced. Throws UsageError if there are too many cells, and
  /// for an option that no cell has, unless a later source than the option's own sets another model
  /// or task.
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

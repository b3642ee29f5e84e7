#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/row_filter.h"
#include "sdbench/front/options/arguments.h"

namespace sdbench {

/// The options of compare and trend that choose rows and metrics. Must outlive the App.
class RowOptions {
public:
  RowOptions(CLI::App& app, const char* group);
  [[nodiscard]] std::vector<std::filesystem::path> paths() const;
  [[nodiscard]] std::vector<Metric> metrics() const; ///< empty without --metric
  [[nodiscard]] std::vector<RowFilter> filters() const;

private:
  std::vector<std::string> paths_;
  const CLI::Option* metric_;
  const CLI::Option* filter_;
};

} // namespace sdbench

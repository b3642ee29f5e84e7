#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/row_filter.h"
#include "sdbench/front/options/arguments.h"

namespace sdbench {

/// "5%" as 0.05; the sign is required, because a bare 0.05 could be a fraction or a percentage.
/// Throws UsageError for all else.
[[nodiscard]] double fraction_of(const std::string& option, const std::string& text);

/// The names that --format takes.
[[nodiscard]] std::vector<std::string> names_of(const std::vector<CompareFormat>& formats);

/// The format of --format, else of the extension of -o, else "table". Throws UsageError for a
/// format that is not in `formats`.
[[nodiscard]] std::string checked_format(const std::string& asked,
                                         const std::filesystem::path& output,
                                         const std::vector<CompareFormat>& formats);

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

#include "sdbench/front/compare/published.h"

#include <map>
#include <string_view>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/csv_text.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// The rows of a CSV file, each a map from column to text.
class NamedRows {
public:
  explicit NamedRows(const fs::path& file) : file_(file) {
    const auto rows = parse_csv(read_text_file(file));
    for (std::size_t row = 1; row < rows.size(); ++row) {
      if (rows[row].size() != rows.front().size()) {
        fail(row, "must have " + std::to_string(rows.front().size()) + " fields, but has " +
                      std::to_string(rows[row].size()));
      }
      rows_.emplace_back();
      for (std::size_t column = 0; column < rows[row].size(); ++column) {
        rows_.back()[rows.front()[column]] = rows[row][column];
      }
    }
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::string text(std::size_t row, const std::string& column) const {
    const auto found = rows_[row].find(column);
    return found == rows_[row].end() ? "" : found->second;
  }
  [[nodiscard]] std::optional<double> number(std::size_t row, const std::string& column) const {
    const std::string value = text(row, column);
    const std::optional<double> number = parse_number(value);
    if (!number && !value.empty()) {
      fail(row + 1, column + " must be a number, but is " + in_quotes(value));
    }
    return number;
  }
  [[nodiscard]] std::optional<std::int64_t> count(std::size_t row,
                                                  const std::string& column) const {
    const auto value = number(row, column);
    return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
  }

private:
  [[noreturn]] void fail(std::size_t row, const std::string& reason) const {
    throw Error(file_.string() + ", row " + std::to_string(row + 1) + ": " + reason);
  }

  fs::path file_;
  std::vector<std::map<std::string, std::string>> rows_;
};

PublishedFigure figure_of(const NamedRows& rows, std::size_t row, std::size_t source) {
  return {.source = source,
          .device = rows.text(row, "device"),
          .device_arch = rows.text(row, "device_arch"),
          .devices = rows.count(row, "devices"),
          .model = rows.text(row, "model"),
          .task = rows.text(row, "task"),
          .width = rows.count(row, "width"),
          .height = rows.count(row, "height"),
          .steps = rows.count(row, "steps"),
          .batch = rows.count(row, "batch"),
          .epoch_images = rows.count(row, "epoch_images"),
          .update = rows.text(row, "update"),
          .loss = rows.text(row, "loss"),
          .precision = rows.text(row, "precision"),
          .engine = rows.text(row, "engine"),
          .quantity = rows.text(row, "quantity"),
          .value = rows.number(row, "value"),
          .value_max = rows.number(row, "value_max"),
          .unit = rows.text(row, "unit"),
          .metric = rows.text(row, "metric"),
          .tflops_fp32 = rows.number(row, "tflops_fp32"),
          .note = rows.text(row, "note")};
}

} // namespace

Published read_published(const fs::path& folder) {
  Published published;
  const NamedRows sources(folder / "sources.csv");
  for (std::size_t row = 0; row < sources.size(); ++row) {
    published.sources.push_back({sources.text(row, "file"), sources.text(row, "kind"),
                                 sources.text(row, "date"), sources.text(row, "source"),
                                 sources.text(row, "protocol"), sources.text(row, "doubts")});
    const NamedRows rows(folder / (published.sources.back().file + ".csv"));
    for (std::size_t figure = 0; figure < rows.size(); ++figure) {
      published.figures.push_back(figure_of(rows, figure, row));
    }
  }
  return published;
}

std::optional<double> in_metric_unit(const PublishedFigure& figure) {
  if (figure.metric.empty() || !figure.value) {
    return std::nullopt;
  }
  const std::string_view wanted = find_metric(figure.metric).unit;
  constexpr double kSecondsPerMinute = 60;
  constexpr double kMilli = 1e-3;
  if (figure.unit == wanted) {
    return figure.value;
  }
  if (figure.unit == "s/it" && wanted == "it/s") {
    return 1 / *figure.value;
  }
  if (figure.unit == "images/s" && wanted == "images/min") {
    return *figure.value * kSecondsPerMinute;
  }
  if (figure.unit == "ms" && wanted == "s") {
    return *figure.value * kMilli;
  }
  throw Error("a published figure of " + figure.metric + " must be in " + std::string(wanted) +
              ", but is in " + in_quotes(figure.unit));
}

} // namespace sdbench

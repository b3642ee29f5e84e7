#include "sdbench/front/report/published_fit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/report/facts.h"

namespace sdbench {
namespace {

/// The only card of the table whose times are in fp16 although its hardware computes fp16 at 1/64
/// of the FP32 rate. The table's nominal rate does not describe its times.
constexpr const char* kWithoutRate = "MX250";

constexpr const char* kColumnsRead[] = {"device",   "precision", "model", "task",
                                        "width",    "height",    "batch", "loss",
                                        "quantity", "value",     "unit",  "tflops_fp32"};

using PublishedRow = std::map<std::string, std::string>;

std::vector<PublishedRow> named_rows(const std::vector<std::vector<std::string>>& lines) {
  std::vector<PublishedRow> rows;
  const std::vector<std::string>* header = nullptr;
  for (const std::vector<std::string>& line : lines) {
    if (header == nullptr) {
      header = &line;
      continue;
    }
    PublishedRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < std::min(line.size(), header->size()); ++i) {
      row[(*header)[i]] = line[i];
    }
  }
  return rows;
}

/// What all points of a fit share: a network, a quantity ("inference, time of a batch") and a
/// precision.
SpeedFit published_kind(const PublishedRow& row) {
  const std::string& quantity = row.at("quantity");
  return {.group = row.at("model") + ", " + quantity.substr(0, quantity.find(',')) + ", " +
                   row.at("precision"),
          .unit = "batches/s",
          .published = true,
          .work = network_work(row.at("model"), row.at("task"), row.at("width"), row.at("height"),
                               row.at("batch"), row.at("loss"))};
}

std::optional<double> nominal_rate(const PublishedRow& row) {
  return row.at("device") == kWithoutRate ? std::nullopt : parse_number(row.at("tflops_fp32"));
}

/// The points of the rows of one kind that are in ms and have a known `x_of`.
template <typename XOf>
std::vector<SpeedPoint> published_points(const std::vector<PublishedRow>& rows,
                                         const std::string& group, const XOf& x_of) {
  constexpr double kMsOfSecond = 1000;
  std::vector<SpeedPoint> points;
  for (const PublishedRow& row : rows) {
    const std::optional<double> x = x_of(row);
    const auto time_ms = parse_number(row.at("value"));
    if (x && time_ms > 0 && row.at("unit") == "ms" && published_kind(row).group == group) {
      points.push_back({row.at("device") + " " + row.at("precision"), *x, kMsOfSecond / *time_ms});
    }
  }
  return points;
}

bool has_columns(const PublishedRow& row) {
  return std::ranges::all_of(kColumnsRead,
                             [&](const char* column) { return row.contains(column); });
}

} // namespace

std::vector<SpeedFit> published_speed_fits(const std::filesystem::path& file, const Facts& facts) {
  if (!std::filesystem::exists(file)) {
    return {};
  }
  const std::vector<PublishedRow> rows = named_rows(parse_csv(read_text_file(file)));
  if (!std::ranges::all_of(rows, has_columns)) {
    return {};
  }
  const FactsByDevice known(facts);
  std::vector<SpeedFit> fits;
  std::set<std::string> groups;
  const auto add = [&](SpeedFit fit) {
    fit.fit = fit_of(fit.points);
    if (!fit.points.empty()) {
      fits.push_back(std::move(fit));
    }
  };
  for (const PublishedRow& row : rows) {
    const SpeedFit kind = published_kind(row);
    if (!groups.insert(kind.group).second) {
      continue;
    }
    SpeedFit nominal = kind;
    nominal.peak = "FP32";
    nominal.points = published_points(rows, kind.group, nominal_rate);
    add(std::move(nominal));
    for (const std::string& column : facts.columns) {
      SpeedFit fit = kind;
      fit.fact = column;
      fit.points = published_points(rows, kind.group, [&](const PublishedRow& one) {
        return known.number(one.at("device"), column);
      });
      add(std::move(fit));
    }
  }
  return fits;
}

} // namespace sdbench

#include "sdbench/front/report/published_fit.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/json_io.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/record/csv_text.h"
#include "sdbench/front/report/line_fit.h"

namespace sdbench {
namespace {

/// The one card of the table whose times are fp16 while its hardware computes fp16 at a 64th of the
/// FP32 rate: the nominal rate in the table is not what its time tells of.
constexpr const char* kLeftOut = "MX250";

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

/// Times of one network and quantity ("inference, time of a batch"), in ms.
SpeedFit published_fit(const std::vector<PublishedRow>& rows, const PublishedRow& kind) {
  const std::string quantity = kind.at("quantity");
  SpeedFit fit;
  fit.group = kind.at("model") + ", " + quantity.substr(0, quantity.find(','));
  fit.peak = "FP32";
  fit.unit = "batches/s";
  fit.published = true;
  fit.work = network_work(kind.at("model"), kind.at("task"), kind.at("width"), kind.at("height"),
                          kind.at("batch"), kind.at("loss"));
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> all_x;
  std::vector<double> all_y;
  for (const PublishedRow& row : rows) {
    const auto tflops = parse_number(row.at("tflops_fp32"));
    const auto time_ms = parse_number(row.at("value"));
    if (row.at("model") != kind.at("model") || row.at("quantity") != quantity ||
        row.at("unit") != "ms" || !tflops || !time_ms || *time_ms <= 0) {
      continue;
    }
    constexpr double kMsOfSecond = 1000;
    const bool left_out = row.at("device") == kLeftOut;
    fit.points.push_back(
        {row.at("device") + " " + row.at("precision"), *tflops, kMsOfSecond / *time_ms, left_out});
    all_x.push_back(fit.points.back().nominal_tflops);
    all_y.push_back(fit.points.back().per_s);
    if (!left_out) {
      x.push_back(all_x.back());
      y.push_back(all_y.back());
    }
  }
  fit.fit = fit_through_origin(x, y);
  const auto with_all = fit_through_origin(all_x, all_y);
  if (x.size() != all_x.size() && with_all) {
    fit.note = std::string(kLeftOut) +
               " is left out: it computes fp16 at a 64th of its FP32 rate. With it R² is " +
               significant_text(with_all->r_squared) + ".";
  }
  return fit;
}

bool has_columns(const PublishedRow& row) {
  return std::ranges::all_of(kColumnsRead,
                             [&](const char* column) { return row.contains(column); });
}

} // namespace

std::vector<SpeedFit> published_speed_fits(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) {
    return {};
  }
  const std::vector<PublishedRow> rows = named_rows(parse_csv(read_text_file(file)));
  if (!std::ranges::all_of(rows, has_columns)) {
    return {};
  }
  std::vector<SpeedFit> fits;
  for (const PublishedRow& row : rows) {
    SpeedFit fit = published_fit(rows, row);
    if (fit.fit && std::ranges::find(fits, fit.group, &SpeedFit::group) == fits.end()) {
      fits.push_back(std::move(fit));
    }
  }
  return fits;
}

} // namespace sdbench

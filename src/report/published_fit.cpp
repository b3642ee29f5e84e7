#include "sdbench/report/published_fit.h"

#include <algorithm>
#include <map>

#include "sdbench/core/error.h"
#include "sdbench/core/json_io.h"
#include "sdbench/core/number_text.h"
#include "sdbench/record/csv_text.h"

namespace sdbench {
namespace {

/// The one card of the table whose times are fp16 while its hardware computes fp16 at a 64th of the
/// FP32 rate: the nominal rate in the table is not what its time tells of.
constexpr const char* kLeftOut = "MX250";

using PublishedRow = std::map<std::string, std::string>;

/// Lines that begin with # are remarks.
std::vector<PublishedRow> named_rows(const std::vector<std::vector<std::string>>& lines) {
  std::vector<PublishedRow> rows;
  const std::vector<std::string>* header = nullptr;
  for (const std::vector<std::string>& line : lines) {
    if (line.front().starts_with('#')) {
      continue;
    }
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

SpeedFit published_fit(const std::vector<PublishedRow>& rows, const std::string& model,
                       const std::string& time) {
  SpeedFit fit{
      model + ", " + time.substr(0, time.find('_')), "FP32", "batches/s", "", true, {}, {}};
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> all_x;
  std::vector<double> all_y;
  for (const PublishedRow& row : rows) {
    const auto tflops = parse_number(row.at("tflops_fp32"));
    const auto time_ms = parse_number(row.at(time));
    if (row.at("model") != model || !tflops || !time_ms || *time_ms <= 0) {
      continue;
    }
    const SpeedPoint& point =
        fit.points.emplace_back(SpeedPoint{row.at("gpu") + " " + row.at("precision"), *tflops,
                                           1000 / *time_ms, row.at("gpu") == kLeftOut});
    all_x.push_back(point.nominal_tflops);
    all_y.push_back(point.per_s);
    if (!point.left_out) {
      x.push_back(point.nominal_tflops);
      y.push_back(point.per_s);
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

} // namespace

std::vector<SpeedFit> published_speed_fits(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) {
    return {};
  }
  const std::vector<PublishedRow> rows = named_rows(parse_csv(read_text_file(file)));
  std::vector<std::string> models;
  for (const PublishedRow& row : rows) {
    for (const char* column : {"gpu", "precision", "model", "eval_ms", "train_ms", "tflops_fp32"}) {
      if (!row.contains(column)) {
        return {};
      }
    }
    if (std::ranges::find(models, row.at("model")) == models.end()) {
      models.push_back(row.at("model"));
    }
  }
  std::vector<SpeedFit> fits;
  for (const std::string& model : models) {
    for (const char* time : {"eval_ms", "train_ms"}) {
      SpeedFit fit = published_fit(rows, model, time);
      if (fit.fit) {
        fits.push_back(std::move(fit));
      }
    }
  }
  return fits;
}

} // namespace sdbench

#include "sdbench/front/report/speed_fit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/row_states.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

constexpr double kTera = 1e12;

/// Mean time of one way to compute on one GPU.
struct MeanTime {
  double sum_s = 0;
  double count = 0;
};

struct GroupKey {
  std::string group;
  std::string shown; ///< the group's name on the page
  std::string precision;
  std::string work; ///< as in SpeedFit, like the unit
  std::string unit;
  auto operator<=>(const GroupKey&) const = default; // NOLINT(modernize-use-nullptr): no pointer
};

/// device_name, variant_id and the card's state. A card under two power limits counts as two cards.
using Variant = std::tuple<std::string, std::string, std::string>;
using Times = std::map<GroupKey, std::map<Variant, MeanTime>>;
using Rates = std::map<std::string, double>; ///< by device

/// The work of a network's row; empty for rows that make images.
std::string network_work_of_row(const ResultTable& table, std::size_t row) {
  const auto value = [&](FieldName name) { return table.value_text(row, name); };
  const TaskRow& task = task_row_of(value("task"));
  return makes_images(task.task)
             ? ""
             : network_work(value("model"), std::string(task.name), value("width"), value("height"),
                            value("batch"), value("loss"));
}

bool has_update(const ResultTable& table, std::size_t row) {
  return table.text(row, "weight_update") == "on";
}

/// True for a row of epochs. Each of its iterations has a different batch, and the last may be
/// smaller.
bool is_of_epochs(const ResultTable& table, std::size_t row) {
  return table.number(row, "epochs").has_value();
}

/// The work that published iterations are compared with: one repeated batch without the optimiser.
/// Empty for other rows.
std::string published_work_of_row(const ResultTable& table, std::size_t row) {
  return has_update(table, row) || is_of_epochs(table, row) ? "" : network_work_of_row(table, row);
}

/// "sdxl 1024x1024, 30 steps, batch 1, fp16"
std::string group_name(const ResultTable& table, std::size_t row) {
  const auto value = [&](FieldName name) { return table.value_text(row, name); };
  const TaskRow& task = task_row_of(value("task"));
  if (!makes_images(task.task)) { // an iteration is one batch, so their number does not matter
    return network_work_of_row(table, row) + (has_update(table, row) ? ", with update" : "") +
           (is_of_epochs(table, row) ? ", in epochs" : "") + ", " + precision_of_row(table, row);
  }
  return value("model") + " " + value("width") + "x" + value("height") + ", " + value("steps") +
         (value("steps") == "1" ? " step" : " steps") + ", batch " + value("batch") +
         ", guidance " + value("guidance") + ", " +
         sampler_word(value("scheduler"), value("noise_levels")) + ", " +
         precision_of_row(table, row);
}

/// True for a single epoch, which has no warm-up.
bool is_cold(const ResultTable& table, std::size_t row) {
  return table.number(row, "epochs") == 1;
}

/// Times of good rows that are not cold, on one device each.
Times times_of_good_rows(const ResultTable& table, const ResultTable& shown) {
  const std::vector<std::string> states = row_states(table, table.all_rows(), {});
  Times times;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const bool has_unet = makes_images(task_row_of(table.text(row, "task")).task);
    const auto figure = table.number(row, has_unet ? FieldName("unet_it_s") : "step_s_mean");
    const std::string device(table.text(row, "device_name"));
    if (!has_true_speed(table, row) || !table.text(row, "parallel_role").empty() ||
        is_cold(table, row) || !figure || *figure <= 0) {
      continue;
    }
    MeanTime& mean =
        times[{group_name(table, row), group_name(shown, row), precision_of_row(table, row),
               published_work_of_row(table, row), has_unet ? "it/s" : "batches/s"}]
             [{device, std::string(table.text(row, "variant_id")), states[row]}];
    mean.sum_s += has_unet ? 1 / *figure : *figure;
    mean.count += 1;
  }
  return times;
}

/// The rate of each GPU's fastest variant.
Rates best_rates(const std::map<Variant, MeanTime>& variants) {
  Rates rates;
  for (const auto& [variant, mean] : variants) {
    double& rate = rates[std::get<0>(variant)];
    rate = std::max(rate, mean.count / mean.sum_s);
  }
  return rates;
}

/// Fits against the nominal rates: FP32, and matrices if the precision has such a rate.
void fit_nominal_rates(const SpeedFit& kind, const Rates& rates,
                       const std::map<std::string, NominalPeak>& peaks,
                       std::vector<SpeedFit>& fits) {
  SpeedFit fp32 = kind;
  fp32.peak = "FP32";
  SpeedFit matrices = kind;
  matrices.peak = kind.precision == "tf32" ? "TF32 matrices" : "FP16 matrices";
  for (const auto& [device, rate] : rates) {
    const auto peak = peaks.find(device);
    if (peak == peaks.end()) {
      continue;
    }
    fp32.points.push_back({device, peak->second.fp32_flops / kTera, rate});
    if (const double flops = peak_for_precision(peak->second, kind.precision); flops > 0) {
      matrices.points.push_back({device, flops / kTera, rate});
    }
  }
  if (!fp32.points.empty()) {
    fits.push_back(std::move(fp32));
  }
  if (!matrices.points.empty() && kind.precision != "fp32") {
    fits.push_back(std::move(matrices));
  }
}

/// Adds points to fit.beside. `precision`, which may be empty, is appended to their names.
void put_beside(const std::vector<SpeedPoint>& points, const std::string& precision,
                SpeedFit& fit) {
  for (SpeedPoint point : points) {
    point.name += precision.empty() ? "" : " " + precision;
    fit.beside.push_back(std::move(point));
  }
}

} // namespace

std::string network_work(const std::string& model, const std::string& task,
                         const std::string& width, const std::string& height,
                         const std::string& batch, const std::string& loss) {
  return model + " " + task + " " + width + "x" + height + ", batch " + batch +
         (loss.empty() ? "" : ", loss " + loss);
}

std::vector<SpeedFit> beside_each_other(std::vector<SpeedFit> own,
                                        std::vector<SpeedFit> published) {
  for (SpeedFit& ours : own) {
    for (SpeedFit& theirs : published) {
      if (!ours.work.empty() && ours.work == theirs.work && ours.peak == theirs.peak &&
          ours.fact == theirs.fact) {
        put_beside(ours.points, ours.precision, theirs);
        put_beside(theirs.points, "", ours);
      }
    }
  }
  std::ranges::move(published, std::back_inserter(own));
  std::erase_if(own, [](const SpeedFit& fit) { return !fit.fit; });
  return own;
}

std::optional<LineFit> fit_of(const std::vector<SpeedPoint>& points) {
  return fit_through_origin(mapped(points, &SpeedPoint::x), mapped(points, &SpeedPoint::per_s));
}

std::vector<SpeedFit> own_speed_fits(const ResultTable& table, const ResultTable& shown,
                                     const std::map<std::string, NominalPeak>& peaks,
                                     const Facts& facts) {
  const FactsByDevice known(facts);
  std::vector<SpeedFit> fits;
  for (const auto& [key, variants] : times_of_good_rows(table, shown)) {
    const SpeedFit kind{
        .group = key.shown, .unit = key.unit, .work = key.work, .precision = key.precision};
    const Rates rates = best_rates(variants);
    fit_nominal_rates(kind, rates, peaks, fits);
    for (const std::string& column : facts.columns) {
      SpeedFit fit = kind;
      fit.fact = column;
      for (const auto& [device, rate] : rates) {
        if (const auto x = known.number(device, column)) {
          fit.points.push_back({device, *x, rate});
        }
      }
      if (!fit.points.empty()) {
        fits.push_back(std::move(fit));
      }
    }
  }
  for (SpeedFit& fit : fits) {
    fit.fit = fit_of(fit.points);
  }
  return fits;
}

std::optional<LineFit> fit_through_origin(std::span<const double> x, std::span<const double> y) {
  const std::size_t count = std::min(x.size(), y.size());
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    xx += x[i] * x[i];
    xy += x[i] * y[i];
    yy += y[i] * y[i];
  }
  if (count < 2 || !std::isfinite(xx + xy + yy) || xx == 0 || yy == 0) {
    return std::nullopt;
  }
  const double slope = xy / xx;
  double residual = 0; // from the points, because yy - xy²/xx cancels if the fit is good
  for (std::size_t i = 0; i < count; ++i) {
    const double difference = y[i] - slope * x[i];
    residual += difference * difference;
  }
  return LineFit{slope, 1 - residual / yy, count};
}

} // namespace sdbench

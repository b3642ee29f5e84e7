#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/report/facts.h"
#include "sdbench/front/report/line_fit.h"
#include "sdbench/front/report/nominal_peak.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A GPU in a regression of speed against a nominal rate or a fact.
struct SpeedPoint {
  std::string name;
  double x = 0;     ///< nominal TFLOP/s, or the fact
  double per_s = 0; ///< 1 / time
};

/// 1/time against a nominal rate or a fact of the GPUs, through the origin, for one kind of work in
/// one precision.
struct SpeedFit {
  std::string group;     ///< what was computed
  std::string fact = {}; ///< the column of the facts; empty: a nominal rate
  std::string peak = {}; ///< nominal rate: "FP32", "FP16 matrices" or "TF32 matrices"
  std::string unit;      ///< of per_s
  bool published = false;
  std::string work = {};      ///< from network_work(), if published figures may have the same work
  std::string precision = {}; ///< for our rows, from precision_of_row()
  std::vector<SpeedPoint> points = {};
  /// Points of the same work: published ones for an own fit, own ones for a published fit. Shown,
  /// but not part of the fit.
  std::vector<SpeedPoint> beside = {};
  std::optional<LineFit> fit = {}; ///< nullopt below two points
};

/// "vgg16 train 224x224, batch 16, loss logit-sum": the work of a network's iteration without the
/// optimiser's step, from the record's fields.
[[nodiscard]] std::string network_work(const std::string& model, const std::string& task,
                                       const std::string& width, const std::string& height,
                                       const std::string& batch, const std::string& loss);

/// Fits of the good rows, for each workload and precision; epochs and iterations with one batch are
/// separate. Each device has one point: its fastest variant, by the mean step time over the
/// variant's rows (reciprocal of unet_it_s, or a network's step_s_mean). Fits against the nominal
/// rates of GPUs that have a peak, and against each column of the facts. A group with a single
/// device has no line. Groups have the names that they have in `shown`, where private fields may
/// have been taken out.
[[nodiscard]] std::vector<SpeedFit> own_speed_fits(const ResultTable& table,
                                                   const ResultTable& shown,
                                                   const std::map<std::string, NominalPeak>& peaks,
                                                   const Facts& facts);

/// The fit of these points; nullopt below two points.
[[nodiscard]] std::optional<LineFit> fit_of(const std::vector<SpeedPoint>& points);

/// Own fits, then published ones. If both have points of the same network work against the same
/// nominal rate or fact, each gets the other's points in `beside`. Then drops fits without a line.
[[nodiscard]] std::vector<SpeedFit> beside_each_other(std::vector<SpeedFit> own,
                                                      std::vector<SpeedFit> published);

} // namespace sdbench

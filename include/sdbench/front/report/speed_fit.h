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

/// A GPU in a regression of speed against what it has.
struct SpeedPoint {
  std::string name;
  double x = 0;     ///< nominal TFLOP/s, or the fact
  double per_s = 0; ///< 1 / time
};

/// 1/time against a nominal rate or a fact of the GPUs, through the origin, for one kind of work in
/// one precision.
struct SpeedFit {
  std::string group;     ///< what was computed
  std::string fact = {}; ///< the column of the facts; empty: it is a nominal rate
  std::string peak = {}; ///< which nominal rate: "FP32", "FP16 matrices" or "TF32 matrices"
  std::string unit;      ///< of per_s
  bool published = false;
  std::string work = {};      ///< as network_work() says it, where others may have measured it, too
  std::string precision = {}; ///< of our rows: precision_of_row()
  std::vector<SpeedPoint> points = {};
  /// The same work: others' beside ours, ours beside others'. Shown, and no part of the fit.
  std::vector<SpeedPoint> beside = {};
  std::optional<LineFit> fit = {}; ///< nullopt below two points
};

/// "vgg16 train 224x224, batch 16, loss logit-sum": what a network's iteration does without the
/// optimiser's step, by the record's fields.
[[nodiscard]] std::string network_work(const std::string& model, const std::string& task,
                                       const std::string& width, const std::string& height,
                                       const std::string& batch, const std::string& loss);

/// Of the good rows: for each workload and precision, epochs apart from iterations with one batch,
/// one point a device, its fastest way (the mean time of a step, unet_it_s's reciprocal or a
/// network's step_s_mean, over the rows of a variant). Against the nominal rates of GPUs that have
/// a peak, and against each column of the facts. A group of a single device has no line.
[[nodiscard]] std::vector<SpeedFit> own_speed_fits(const ResultTable& table,
                                                   const std::map<std::string, NominalPeak>& peaks,
                                                   const Facts& facts);

/// Fits and their points as they are; nullopt below two points.
[[nodiscard]] std::optional<LineFit> fit_of(const std::vector<SpeedPoint>& points);

/// Own fits, then published ones. Where both have points of one network's work over the same
/// nominal rate or fact, each has the other's beside its own. Then what has no line is left out.
[[nodiscard]] std::vector<SpeedFit> beside_each_other(std::vector<SpeedFit> own,
                                                      std::vector<SpeedFit> published);

} // namespace sdbench

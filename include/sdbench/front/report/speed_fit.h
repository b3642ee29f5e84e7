#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/report/line_fit.h"
#include "sdbench/front/report/nominal_peak.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A GPU in a regression of speed against nominal rate.
struct SpeedPoint {
  std::string name;
  double nominal_tflops = 0;
  double per_s = 0;      ///< 1 / time
  bool left_out = false; ///< shown, but no part of the fit
};

/// 1/time against nominal TFLOP/s through the origin, for one kind of work.
struct SpeedFit {
  std::string group; ///< what was computed
  std::string peak;  ///< which nominal rate: "FP32" or "FP16 matrices"
  std::string unit;  ///< of per_s
  std::string note;  ///< what is left out and why, and the R² with it; empty: nothing
  bool published = false;
  std::vector<SpeedPoint> points;
  std::optional<LineFit> fit; ///< nullopt below two points
};

/// Of the good rows of GPUs with a nominal peak: for each workload and dtype one point a GPU, its
/// fastest way (the mean of unet_it_s's reciprocal over the rows of a variant). Groups of a single
/// GPU are left out: there is no line through one point.
[[nodiscard]] std::vector<SpeedFit> own_speed_fits(const ResultTable& table,
                                                   const std::map<std::string, NominalPeak>& peaks);

} // namespace sdbench

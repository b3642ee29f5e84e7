#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sdbench/front/report/facts.h"
#include "sdbench/front/report/nominal_peak.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The line y = slope * x through the origin, fitted by least squares.
struct LineFit {
  double slope = 0; ///< Σxy / Σx²
  /// Uncentred R²: 1 - Σ(y - slope x)² / Σy². This is the usual definition for a line through the
  /// origin. It is larger than the centred R² of the same points, so the two cannot be compared.
  double r_squared = 0;
  std::size_t count = 0;
};

/// One GPU's point in a regression of speed against a nominal rate or a fact.
struct SpeedPoint {
  std::string name;
  double x = 0;     ///< nominal TFLOP/s, or the number from the facts
  double per_s = 0; ///< 1 / time
};

/// A regression through the origin, for one kind of work in one precision: 1/time of several GPUs
/// against their nominal rate or a column of the facts.
struct SpeedFit {
  std::string group;     ///< what was computed, as shown on the page
  std::string fact = {}; ///< column of the facts; empty: against a nominal rate
  std::string peak = {}; ///< name of the nominal rate: "FP32", "FP16 matrices" or "TF32 matrices"
  std::string unit;      ///< unit of per_s
  bool published = false;
  /// Result of network_work(); empty if no published figures can have the same work.
  std::string work = {};
  std::string precision = {}; ///< only for our rows: result of precision_of_row()
  std::vector<SpeedPoint> points = {};
  /// Points of another fit with the same work: published points if this fit is ours, our points if
  /// it is published. They are shown, but not part of the fit.
  std::vector<SpeedPoint> beside = {};
  std::optional<LineFit> fit = {}; ///< nullopt for fewer than two points
};

/// Describes the work of one iteration of a network, without the optimiser's step, from the
/// record's fields: "vgg16 train 224x224, batch 16, loss logit-sum".
[[nodiscard]] std::string network_work(const std::string& model, const std::string& task,
                                       const std::string& width, const std::string& height,
                                       const std::string& batch, const std::string& loss);

/// Fits of our rows that pass has_true_speed(), one for each workload and precision.
/// - Rows of epochs and rows that repeat one batch are separate groups.
/// - Each GPU has one point, for the variant whose rows have the shortest mean step time. The step
///   time is the reciprocal of unet_it_s, or step_s_mean for networks.
/// - There are fits against the nominal rates (only with GPUs whose peaks are known), and against
///   each column of the facts.
/// - A group with only one GPU gets no line.
/// - Groups are named from `shown`, from which private fields may have been removed.
[[nodiscard]] std::vector<SpeedFit> own_speed_fits(const ResultTable& table,
                                                   const ResultTable& shown,
                                                   const std::map<std::string, NominalPeak>& peaks,
                                                   const Facts& facts);

/// Fits a line to these points; nullopt for fewer than two points.
[[nodiscard]] std::optional<LineFit> fit_of(const std::vector<SpeedPoint>& points);

/// Joins our fits and published ones, in this order. If two have the same network work and the same
/// nominal rate or fact, each gets the other's points in `beside`. Fits without a line are then
/// dropped.
[[nodiscard]] std::vector<SpeedFit> beside_each_other(std::vector<SpeedFit> own,
                                                      std::vector<SpeedFit> published);

/// Fits the points (x[i], y[i]). nullopt for fewer than two points, if all x or all y are 0, or if
/// a number is not finite. Throws nothing. If x and y differ in length, surplus values are ignored.
[[nodiscard]] std::optional<LineFit> fit_through_origin(std::span<const double> x,
                                                        std::span<const double> y);

} // namespace sdbench

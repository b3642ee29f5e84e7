#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/report/nominal_peak.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A row's point in the roofline chart. Its height is the row's field achieved_tflops.
struct RooflinePoint {
  std::size_t row = 0;
  double flop_per_byte = 0; ///< estimated arithmetic intensity of one iteration
  std::string precision;    ///< see precision_of_row()
  double peak_tflops = 0;   ///< nominal peak for this precision; 0: unknown
};

struct Roofline {
  std::vector<RooflinePoint> points;
  std::size_t left_out = 0; ///< number of rows left out because their bytes cannot be estimated
};

/// Least number of bytes that one iteration moves if every tensor has the row's dtype. It counts
/// the weights of the UNet or network once, and what its layers read and write for the batch.
/// Guidance doubles the batch. For training, only the forward pass counts. nullopt if the estimate
/// would be wrong:
/// - for an architecture that is not part of sdbench, because its name alone does not identify it
/// - for autocast, which uses two dtypes at once
/// - for impossible sizes
[[nodiscard]] std::optional<double> bytes_of_row(const ResultTable& table, std::size_t row);

/// The points of all rows that have achieved_tflops and pass has_true_speed().
[[nodiscard]] Roofline roofline(const ResultTable& table,
                                const std::map<std::string, NominalPeak>& peaks);

} // namespace sdbench

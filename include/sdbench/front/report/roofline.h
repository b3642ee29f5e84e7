#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/report/nominal_peak.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Where a row stands under the roof: achieved_tflops is the record's own field.
struct RooflinePoint {
  std::size_t row = 0;
  double flop_per_byte = 0; ///< arithmetic intensity of one it, estimated
  std::string precision;    ///< precision_of_row()
  double peak_tflops = 0;   ///< nominal, for that; 0: not known
};

struct Roofline {
  std::vector<RooflinePoint> points;
  std::size_t left_out = 0; ///< good rows with a rate whose bytes cannot be estimated
};

/// Bytes that one it moves at least: the weights of the UNet, or of the network, once, and what its
/// layers read and write for the batch (twice with guidance), all in its dtype; of training the
/// forward pass alone. nullopt where that is no honest estimate: an architecture that does not come
/// with sdbench (under its name others may have another one), autocast (two dtypes at once), sizes
/// that cannot be.
[[nodiscard]] std::optional<double> bytes_of_row(const ResultTable& table, std::size_t row);

/// Of the good rows with achieved_tflops.
[[nodiscard]] Roofline roofline(const ResultTable& table,
                                const std::map<std::string, NominalPeak>& peaks);

} // namespace sdbench

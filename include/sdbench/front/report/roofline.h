#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/report/nominal_peak.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A row's position under the roof. Its height is the record's field achieved_tflops.
struct RooflinePoint {
  std::size_t row = 0;
  double flop_per_byte = 0; ///< arithmetic intensity of one iteration, estimated
  std::string precision;    ///< precision_of_row()
  double peak_tflops = 0;   ///< nominal peak for that precision; 0: unknown
};

struct Roofline {
  std::vector<RooflinePoint> points;
  std::size_t left_out = 0; ///< good rows with a rate whose bytes cannot be estimated
};

/// Least bytes that one iteration moves: the weights of the UNet or network once, and the reads and
/// writes of its layers for the batch (twice with guidance), all in its dtype. For training, counts
/// only the forward pass. nullopt if the estimate would be wrong: an architecture that does not
/// come with sdbench (its name may mean a different one elsewhere), autocast (two dtypes at once),
/// impossible sizes.
[[nodiscard]] std::optional<double> bytes_of_row(const ResultTable& table, std::size_t row);

/// The roofline of the good rows with achieved_tflops.
[[nodiscard]] Roofline roofline(const ResultTable& table,
                                const std::map<std::string, NominalPeak>& peaks);

} // namespace sdbench

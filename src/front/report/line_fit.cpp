#include "sdbench/front/report/line_fit.h"

#include <algorithm>
#include <cmath>

namespace sdbench {

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

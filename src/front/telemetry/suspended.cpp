#include "sdbench/front/telemetry/suspended.h"

namespace sdbench {
namespace {

double seconds_by(clockid_t clock) {
  constexpr double kNano = 1e-9;
  std::timespec now{};
  return ::clock_gettime(clock, &now) == 0
             ? static_cast<double>(now.tv_sec) + kNano * static_cast<double>(now.tv_nsec)
             : 0;
}

} // namespace

double suspended_seconds() {
#if defined(CLOCK_BOOTTIME)
  return suspended_seconds_by([] { return seconds_by(CLOCK_MONOTONIC); },
                              [] { return seconds_by(CLOCK_BOOTTIME); });
#else
  return 0;
#endif
}

/// Reads one clock before and after the other, because this thread may lose its core in between.
/// Takes the quickest of a few tries.
double suspended_seconds_by(const ClockReader& standing, const ClockReader& going) {
  constexpr int kTries = 5;
  double quickest_s = 0;
  double suspended_s = 0;
  for (int i = 0; i < kTries; ++i) {
    const double before = standing();
    const double between = going();
    const double after = standing();
    if (i == 0 || after - before < quickest_s) {
      quickest_s = after - before;
      suspended_s = between - (before + after) / 2;
    }
  }
  return suspended_s;
}

} // namespace sdbench

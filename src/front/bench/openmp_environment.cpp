#include "sdbench/front/bench/openmp_environment.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <string_view>
#include <system_error>

#include "sdbench/base/device/environment_settings.h"
#include "sdbench/base/system/steady_clock.h"

namespace sdbench {
namespace {

constexpr double kWaitSeconds = 1e-3;
/// libgomp's default; an upper bound for processors that poll very fast.
constexpr double kMostLooks = 300'000;
constexpr double kFewestLooks = 1'000;

/// Duration of one poll of libgomp: a load and, on x86, a pause of 10 to 140 clocks. Takes the
/// fastest of several tries, because other programs may interrupt.
double look_seconds() {
  constexpr int kTries = 5;
  constexpr int kLooks = 1000;
  const std::atomic<int> watched = 0;
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    const double start_s = steady_seconds();
    for (int look = 0; look < kLooks && watched.load(std::memory_order_relaxed) == 0; ++look) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#else
      std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
    }
    fastest = std::min(fastest, steady_seconds() - start_s);
  }
  return fastest / kLooks;
}

} // namespace

std::optional<std::string> openmp_wait_setting() {
  if (!settings_of(kOpenMpWaiting).empty()) {
    return std::nullopt;
  }
  const double looks = std::clamp(kWaitSeconds / look_seconds(), kFewestLooks, kMostLooks);
  return "GOMP_SPINCOUNT=" + std::to_string(std::llround(looks));
}

std::string openmp_choices_of_user() {
  constexpr auto kOurs =
      std::span(kOpenMpVariables).first<kOpenMpBinding.size() + kOpenMpWaiting.size()>();
  return settings_of(kOurs);
}

std::int64_t default_threads(std::int64_t cores) {
  return std::min(omp_num_threads().value_or(cores), cores);
}

std::optional<std::int64_t> omp_num_threads() {
  const char* const value = std::getenv("OMP_NUM_THREADS");
  const std::string_view text = value == nullptr ? "" : value;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_list = end == text.data() + text.size() || *end == ',';
  return error == std::errc() && is_list && number > 0 ? std::optional(number) : std::nullopt;
}

} // namespace sdbench

#include "sdbench/cli/progress_bar.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sdbench/sink/units.h"

namespace sdbench {
namespace {

/// "00:04", "1:02:03"
std::string stopwatch_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  const auto two = [](std::int64_t value) {
    return (value < 10 ? "0" : "") + std::to_string(value);
  };
  const std::string hours = whole >= 3600 ? std::to_string(whole / 3600) + ":" : "";
  return hours + two(whole / 60 % 60) + ":" + two(whole % 60);
}

std::string filled(double fraction) {
  constexpr int kWidth = 24;
  const int full = static_cast<int>(fraction * kWidth);
  std::string bar;
  for (int i = 0; i < kWidth; ++i) {
    bar += i < full ? "█" : " ";
  }
  return bar;
}

} // namespace

std::string bar_text(const std::string& title, std::int64_t done, std::int64_t total,
                     double seconds) {
  const double fraction =
      total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0) : 0;
  const std::string percent = std::to_string(static_cast<int>(fraction * 100));
  std::string text = title + " " + std::string(percent.size() < 3 ? 3 - percent.size() : 0, ' ') +
                     percent + "%|" + filled(fraction) + "| " + std::to_string(done) + "/" +
                     std::to_string(total) + " [" + stopwatch_text(seconds);
  if (done > 0 && seconds > 0) {
    const double rate = static_cast<double>(done) / seconds;
    const double left = static_cast<double>(std::max<std::int64_t>(total - done, 0)) / rate;
    text += "<" + stopwatch_text(left) + ", " + step_rate_text(rate);
  }
  return text + "]";
}

void LiveLine::show(const std::string& text) {
  if (live_) {
    err_ << "\r" << text << "\x1b[K" << std::flush; // the code wipes what a longer line left behind
    shown_ = true;
  }
}

void LiveLine::clear() {
  if (std::exchange(shown_, false)) {
    err_ << "\r\x1b[K" << std::flush;
  }
}

} // namespace sdbench

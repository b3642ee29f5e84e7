#include "sdbench/front/progress/progress_bar.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sdbench/base/numbers/units.h"
#include "sdbench/base/system/signals_blocked.h"
#include "sdbench/front/words/terminal_text.h"

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

std::string filled(double fraction, std::size_t width) {
  const auto full = static_cast<std::size_t>(fraction * static_cast<double>(width));
  std::string bar;
  for (std::size_t i = 0; i < width; ++i) {
    bar += i < full ? "█" : " ";
  }
  return bar;
}

} // namespace

std::string bar_text(const std::string& title, std::int64_t done, std::int64_t total,
                     double seconds, std::size_t columns) {
  constexpr std::size_t kWidest = 24;
  constexpr std::size_t kNarrowest = 4; // a shorter bar tells less than the percentage
  const double fraction =
      total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0) : 0;
  const std::string percent = std::to_string(static_cast<int>(fraction * 100));
  const std::string head =
      title + " " + std::string(percent.size() < 3 ? 3 - percent.size() : 0, ' ') + percent + "%";
  const std::string counts = " " + std::to_string(done) + "/" + std::to_string(total);
  std::string times = " [" + stopwatch_text(seconds);
  std::string rate_text;
  if (done > 0 && seconds > 0) {
    const double rate = static_cast<double>(done) / seconds;
    const double left = static_cast<double>(std::max<std::int64_t>(total - done, 0)) / rate;
    times += "<" + stopwatch_text(left);
    rate_text = ", " + step_rate_text(rate);
  }
  const std::string all = counts + times + rate_text + "]";
  const std::size_t beside_bar = columns_of(head) + 2 + columns_of(all);
  if (columns == 0 || beside_bar + kNarrowest <= columns) {
    const std::size_t width = columns == 0 ? kWidest : std::min(kWidest, columns - beside_bar);
    return head + "|" + filled(fraction, width) + "|" + all;
  }
  for (const std::string& text : {head + all, head + counts + times + "]", head + counts}) {
    if (columns_of(text) <= columns) {
      return text;
    }
  }
  const std::size_t room = columns - std::min(columns, columns_of(head) - columns_of(title));
  return cut_to(title, room) + head.substr(title.size());
}

std::size_t LiveLine::columns() const {
  const std::size_t width = terminal_.width == nullptr ? 0 : terminal_.width();
  return width > 0 ? width - 1 : 0; // a full line would move the cursor to the next line
}

LiveLine::~LiveLine() {
  clear();
  if (ticker_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    end_.notify_all();
    ticker_.join();
  }
}

void LiveLine::show(const std::string& text) {
  if (!terminal_.live) {
    return;
  }
  const std::lock_guard lock(mutex_);
  text_ = text;
  since_ = Clock::now();
  shown_ = true;
  write(text, "");
  if (!ticker_.joinable()) {
    const SignalsBlocked for_the_thread;
    ticker_ = std::thread([this] { tick(); });
  }
}

void LiveLine::write(const std::string& text, const std::string& waiting) {
  const std::size_t most = columns();
  const std::size_t room = most - std::min(most, waiting.size());
  std::string line = most == 0 ? text : cut_to(text, room);
  if (terminal_.ascii) {
    line = in_ascii(line);
    line = most == 0 ? line : line.substr(0, room); // "…" has become three dots
  }
  // The code at the end wipes the rest of a longer line before it.
  err_ << "\r" << line << waiting << "\x1b[K" << std::flush;
}

void LiveLine::tick() {
  constexpr std::chrono::seconds kQuiet(2);
  constexpr std::chrono::milliseconds kPeriod(500);
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, kPeriod, [this] { return ended_; })) {
    const auto waited = Clock::now() - since_;
    if (shown_ && waited >= kQuiet) {
      write(text_, " +" + stopwatch_text(std::chrono::duration<double>(waited).count()));
    }
  }
}

void LiveLine::show_bar(const std::string& title, std::int64_t done, std::int64_t total,
                        double seconds) {
  show(bar_text(title, done, total, seconds, columns()));
}

void LiveLine::clear() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(shown_, false)) {
    err_ << "\r\x1b[K" << std::flush;
  }
}

} // namespace sdbench

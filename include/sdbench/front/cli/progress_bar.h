#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "sdbench/front/cli/streams.h"

namespace sdbench {

/// The text of a bar like tqdm's: "run 1/3  40%|████      | 20/50 [00:04<00:06, 5.01 it/s]".
/// `seconds`: time that the `done` steps took. In at most `columns` (0: as many as it takes) the
/// bar becomes shorter, then rate, times and counts make way.
[[nodiscard]] std::string bar_text(const std::string& title, std::int64_t done, std::int64_t total,
                                   double seconds, std::size_t columns = 0);

/// The last line of a terminal, rewritten in place and never wider than the terminal is at that
/// moment: a line that wraps cannot be rewritten. Where nothing new comes for seconds, it tells for
/// how long: a person shall see that something goes on. Does nothing if the stream is no terminal.
class LiveLine {
public:
  LiveLine(std::ostream& err, LiveTerminal terminal) : err_(err), terminal_(terminal) {}
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  void show(const std::string& text);
  /// bar_text(title, …), as wide as there is room for.
  void show_bar(const std::string& title, std::int64_t done, std::int64_t total, double seconds);
  /// Wipes the line, so that something else can be written.
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::size_t columns() const;
  void write(const std::string& text, const std::string& waiting);
  void tick();

  std::ostream& err_;
  LiveTerminal terminal_;
  std::mutex mutex_; ///< of all below
  bool shown_ = false;
  std::string text_;
  Clock::time_point since_; ///< `text_` is shown
  bool ended_ = false;
  std::condition_variable end_;
  std::thread ticker_; ///< from the first line on
};

} // namespace sdbench

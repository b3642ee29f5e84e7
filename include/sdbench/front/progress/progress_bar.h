#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// The text of a progress bar in tqdm's style: "run 1/3 40%|████ | 20/50 [00:04<00:06, 5.01 it/s]".
/// `seconds`: time of the `done` steps. To fit `columns` (0: unlimited), first the bar becomes
/// shorter, then rate, times and counts disappear.
[[nodiscard]] std::string bar_text(const std::string& title, std::int64_t done, std::int64_t total,
                                   double seconds, std::size_t columns = 0);

/// The last line of a terminal, rewritten in place. It is never wider than the terminal, because a
/// wrapped line cannot be rewritten. If no new text comes for two seconds, a timer appears behind
/// the text, to show that the program still runs. Does nothing if the stream is not a terminal.
class LiveLine {
public:
  LiveLine(std::ostream& err, LiveTerminal terminal) : err_(err), terminal_(terminal) {}
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  void show(const std::string& text);
  /// Shows bar_text(title, …) in the width of the terminal.
  void show_bar(const std::string& title, std::int64_t done, std::int64_t total, double seconds);
  /// Wipes the line, so that other text can be written.
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::size_t columns() const;
  void write(const std::string& text, const std::string& waiting);
  void tick();

  std::ostream& err_;
  LiveTerminal terminal_;
  std::mutex mutex_; ///< guards all below
  bool shown_ = false;
  std::string text_;
  Clock::time_point since_; ///< start time of `text_`
  bool ended_ = false;
  std::condition_variable end_;
  std::thread ticker_; ///< started when the first line is shown
};

} // namespace sdbench

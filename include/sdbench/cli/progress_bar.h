#pragma once

#include <cstdint>
#include <ostream>
#include <string>

namespace sdbench {

/// The text of a bar like tqdm's: "run 1/3  40%|████      | 20/50 [00:04<00:06, 5.01 it/s]".
/// `seconds`: time that the `done` steps took.
[[nodiscard]] std::string bar_text(const std::string& title, std::int64_t done, std::int64_t total,
                                   double seconds);

/// The last line of a terminal, rewritten in place. Does nothing if the stream is no terminal.
class LiveLine {
public:
  LiveLine(std::ostream& err, bool live) : err_(err), live_(live) {}
  ~LiveLine() { clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  void show(const std::string& text);
  /// Wipes the line, so that something else can be written.
  void clear();

private:
  std::ostream& err_;
  bool live_;
  bool shown_ = false;
};

} // namespace sdbench

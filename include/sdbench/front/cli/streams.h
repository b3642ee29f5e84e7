#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "sdbench/front/words/screen.h"

namespace sdbench {

/// A terminal whose last line can be rewritten in place.
struct LiveTerminal {
  bool live = false;                ///< there is one
  bool ascii = false;               ///< it shows nothing but ASCII
  std::size_t (*width)() = nullptr; ///< its columns now; 0 or none: unknown
};

/// Where a command writes: data to `out`, everything said to people to `err`.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool out_colour = false;        ///< `out` is a terminal that may be coloured
  LiveTerminal err_terminal = {}; ///< that `err` is
  std::size_t (*out_width)() =
      nullptr;                     ///< columns now of the terminal that `out` is; none: it is none
  bool out_ascii = false;          ///< `out` is a terminal that shows nothing but ASCII
  bool (*reader_gone)() = nullptr; ///< whether nobody reads `out` any more; null: that never is

  /// The terminal for progress: none where --quiet wants none.
  [[nodiscard]] LiveTerminal live_terminal(int verbosity) const;
  /// What `out` is.
  [[nodiscard]] Screen screen() const { return {width(), out_colour, out_ascii}; }
  /// A text as `out` can show it: no line wider than the terminal.
  [[nodiscard]] std::string shown(const std::string& text) const;
  /// "sdbench: " and any bytes as one message to `err`.
  void say(const std::string& text) const;
  /// Columns of `out` now.
  [[nodiscard]] std::size_t width() const;
};

/// Whether what `out` refused was for a reader that went away (sdbench | head): no fault.
[[nodiscard]] bool is_reader_gone(const Streams& streams);

/// The process' own streams. Colour as NO_COLOR (https://no-color.org) and TERM allow; ASCII alone
/// where the locale (LC_ALL, else LC_CTYPE, else LANG) is set and is none of UTF-8.
[[nodiscard]] Streams standard_streams();

} // namespace sdbench

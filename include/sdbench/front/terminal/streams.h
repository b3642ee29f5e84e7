#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "sdbench/front/words/screen.h"

namespace sdbench {

/// A terminal whose last line can be rewritten in place.
struct LiveTerminal {
  bool live = false;  ///< true if there is one
  bool ascii = false; ///< true if it can show only ASCII
  std::size_t (*width)() =
      nullptr; ///< returns its present columns, 0: unknown; may be null: unknown
};

/// The streams of a command: data go to `out`, messages for people to `err`.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool out_colour = false;        ///< `out` is a terminal that may show colours
  LiveTerminal err_terminal = {}; ///< of `err`
  std::size_t (*out_width)() =
      nullptr; ///< returns the present columns of the terminal of `out`; null: not a terminal
  bool out_ascii = false;          ///< `out` is a terminal that can show only ASCII
  bool (*reader_gone)() = nullptr; ///< returns true once the reader of `out` is gone; null: never

  /// The terminal for progress; not live with --quiet.
  [[nodiscard]] LiveTerminal live_terminal(int verbosity) const;
  /// The screen of `out`.
  [[nodiscard]] Screen screen() const { return {width(), out_colour, out_ascii}; }
  /// A text in a form that `out` can show, with no line wider than the terminal.
  [[nodiscard]] std::string shown(const std::string& text) const;
  /// Writes "sdbench: " and any bytes as one message to `err`.
  void say(const std::string& text) const;
  /// Present columns of `out`.
  [[nodiscard]] std::size_t width() const;
};

/// True if writing to `out` failed only because its reader went away (sdbench | head), which is no
/// error.
[[nodiscard]] bool is_reader_gone(const Streams& streams);

/// The process's own streams. Colour as NO_COLOR (https://no-color.org) and TERM allow. Only ASCII
/// if the locale (LC_ALL, else LC_CTYPE, else LANG) is set and is not UTF-8.
[[nodiscard]] Streams standard_streams();

/// True if a person at a terminal can be asked.
[[nodiscard]] bool can_ask();
/// Asks the question; true if the answer is yes. No answer means no.
[[nodiscard]] bool says_yes(const std::string& question, const Streams& streams);

} // namespace sdbench

#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "sdbench/front/words/screen.h"

namespace sdbench {

/// Properties of the terminal to which a stream writes.
struct LiveTerminal {
  bool live = false;  ///< true if the stream is a terminal whose last line can be rewritten
  bool ascii = false; ///< true if it can show only ASCII
  /// Returns the terminal's present number of columns, 0 if unknown. A null pointer also means
  /// unknown.
  std::size_t (*width)() = nullptr;
};

/// The output streams of a command. Data go to `out`, and messages for people to `err`.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool out_colour = false;        ///< `out` is a terminal that may show colours
  LiveTerminal err_terminal = {}; ///< terminal to which `err` writes
  /// Returns the present number of columns of the terminal of `out`. Null: `out` is not a terminal.
  std::size_t (*out_width)() = nullptr;
  bool out_ascii = false;          ///< `out` is a terminal that can show only ASCII
  bool (*reader_gone)() = nullptr; ///< true once the reader of `out` is gone; null: never detected

  /// The terminal on which progress is shown. It is not live if `verbosity` is negative (--quiet).
  [[nodiscard]] LiveTerminal live_terminal(int verbosity) const;
  /// Properties of the screen on which `out` is shown.
  [[nodiscard]] Screen screen() const { return {width(), out_colour, out_ascii}; }
  /// The text in a form that `out` can show, wrapped to the width of its terminal.
  [[nodiscard]] std::string shown(const std::string& text) const;
  /// Writes "sdbench: " and the text, which may hold any bytes, to `err` as one message.
  void say(const std::string& text) const;
  /// Present width of the terminal of `out` in columns; 0: not a terminal, or unknown.
  [[nodiscard]] std::size_t width() const;
};

/// True if writing to `out` failed only because its reader is gone, as in `sdbench | head`. This is
/// not an error.
[[nodiscard]] bool is_reader_gone(const Streams& streams);

/// The process's own streams. NO_COLOR (https://no-color.org) and TERM decide about colour. Output
/// is limited to ASCII if the locale (LC_ALL, else LC_CTYPE, else LANG) is set and is not UTF-8.
[[nodiscard]] Streams standard_streams();

/// True if input comes from a terminal and messages go to one, so that a person can be asked.
[[nodiscard]] bool can_ask();
/// Asks the user the question. Returns true if the answer is yes; an empty answer means no.
[[nodiscard]] bool says_yes(const std::string& question, const Streams& streams);

} // namespace sdbench

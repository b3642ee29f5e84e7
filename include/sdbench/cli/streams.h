#pragma once

#include <ostream>

namespace sdbench {

/// Where a command writes: data to `out`, everything said to people to `err`.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool out_colour = false;         ///< `out` is a terminal that may be coloured
  bool err_live = false;           ///< `err` is a terminal whose last line can be rewritten
  bool (*reader_gone)() = nullptr; ///< whether nobody reads `out` any more; null: that never is
};

/// Whether what `out` refused was for a reader that went away (sdbench | head): no fault.
[[nodiscard]] bool is_reader_gone(const Streams& streams);

/// The process' own streams. Colour as NO_COLOR (https://no-color.org) and TERM allow.
[[nodiscard]] Streams standard_streams();

} // namespace sdbench

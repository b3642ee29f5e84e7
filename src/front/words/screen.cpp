#include "sdbench/front/words/screen.h"

#include "sdbench/base/text/escape.h"
#include "sdbench/front/words/terminal_text.h"

namespace sdbench {

std::string line_on(const Screen& screen, std::string_view text) {
  const std::string line = one_line(text);
  return screen.ascii ? in_ascii(line) : line;
}

std::string command_on(const Screen& screen, std::string_view command) {
  const std::string line = message_line(command);
  return screen.ascii ? in_ascii(line) : line;
}

std::string styled(std::string_view code, std::string_view text, bool colour) {
  return colour && !text.empty() ? "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m"
                                 : std::string(text);
}

} // namespace sdbench

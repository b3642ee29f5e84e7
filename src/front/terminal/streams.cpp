#include "sdbench/front/terminal/streams.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sdbench/front/terminal/folded_message.h"
#include "sdbench/front/words/terminal_text.h"

namespace sdbench {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// True if standard output is a pipe or socket whose reader has closed it.
bool is_nobody_reading() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

std::size_t width_of(int terminal) {
  winsize size{};
  return ::ioctl(terminal, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::size_t width_of_standard_output() {
  return width_of(STDOUT_FILENO);
}

std::size_t width_of_standard_error() {
  return width_of(STDERR_FILENO);
}

/// False if no locale is set, as in containers, because that proves nothing about the terminal.
bool locale_is_ascii() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (const std::string_view locale = environment(name); !locale.empty()) {
      return locale.find("UTF-8") == std::string_view::npos &&
             locale.find("utf8") == std::string_view::npos;
    }
  }
  return false;
}

} // namespace

bool is_reader_gone(const Streams& streams) {
  return !streams.out && streams.reader_gone != nullptr && streams.reader_gone();
}

LiveTerminal Streams::live_terminal(int verbosity) const {
  return verbosity < 0 ? LiveTerminal{} : err_terminal;
}

std::size_t Streams::width() const {
  return out_width == nullptr ? 0 : out_width();
}

std::string Streams::shown(const std::string& text) const {
  return wrapped_lines(out_ascii ? in_ascii(text) : text, width());
}

void Streams::say(const std::string& text) const {
  write_message(err, err_terminal, "sdbench: " + text);
}

Streams standard_streams() {
  const bool capable = environment("TERM") != "dumb";
  const bool colour = capable && environment("NO_COLOR").empty();
  const bool ascii = locale_is_ascii();
  const bool out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  Streams streams{std::cout, std::cerr};
  streams.out_colour = colour && out_is_terminal;
  streams.out_width = out_is_terminal ? width_of_standard_output : nullptr;
  streams.out_ascii = ascii && out_is_terminal;
  streams.err_terminal = {.live = capable && ::isatty(STDERR_FILENO) == 1,
                          .ascii = ascii,
                          .width = width_of_standard_error};
  streams.reader_gone = is_nobody_reading;
  return streams;
}

bool can_ask() {
  return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
}

bool says_yes(const std::string& question, const Streams& streams) {
  streams.err << "sdbench: " << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

} // namespace sdbench

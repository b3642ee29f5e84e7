#include "sdbench/front/shells/manual_page.h"

#include <algorithm>
#include <string_view>

#include "sdbench/base/system/build_info.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

constexpr std::string_view kFiles = R"(.SH FILES
.TP
.I sdbench-results/
what was measured, in the folder in which sdbench ran: a file a host
.TP
.I \(ti/.cache/sdbench
what is kept for later runs; see sdbench cache list.
With XDG_CACHE_HOME it is there
.PP
Nothing else is left when sdbench is removed.
)";

/// Escapes a letter that has a meaning in roff, or that roff would print as a different character.
std::string roff_letter(char letter) {
  switch (letter) {
  case '\\':
    return "\\e";
  case '-':
    return "\\-";
  case '\'':
    return "\\(aq";
  case '`':
    return "\\(ga";
  case '^':
    return "\\(ha";
  case '~':
    return "\\(ti";
  case '"':
    return "\\(dq";
  default:
    return {letter};
  }
}

/// One line of roff that is not read as a request.
std::string roff_line(std::string_view text) {
  std::string line = text.starts_with('.') ? "\\&" : "";
  for (const char letter : text) {
    line += roff_letter(letter);
  }
  return line + "\n";
}

/// Each line of the text as a line of roff, with `between` inserted between lines.
std::string roff_lines(std::string_view text, std::string_view between = "") {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += (lines.empty() ? "" : std::string(between)) + roff_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The text as an argument of a request.
std::string roff_argument(const std::string& text) {
  std::string line = roff_line(text);
  line.pop_back();
  return "\"" + line + "\"";
}

std::string roff_option(const DescribedOption& option) {
  std::string words = joined(option.names);
  if (!option.value.empty()) {
    words += (words.empty() ? "" : " ") + option.value;
  }
  return ".TP\n.B " + roff_argument(words) + "\n" + roff_lines(option.help, ".br\n");
}

std::string roff_command(const DescribedCommand& command) {
  // In the description of run, the list of commands follows the first paragraph. It has a section
  // of its own.
  const std::size_t end = command.description.find("\n\n");
  std::string text = ".SH " + roff_argument("sdbench " + command.words) + "\n" +
                     roff_lines(std::string_view(command.description).substr(0, end));
  std::string group;
  for (const DescribedOption& option : command.options) {
    if (option.group != group) {
      group = option.group;
      text += ".SS " + roff_argument(group) + "\n";
    }
    text += roff_option(option);
  }
  if (!command.footer.empty()) {
    text += ".PP\n.nf\n" + roff_lines(command.footer) + ".fi\n";
  }
  return text;
}

/// The arguments that may follow the options.
std::string following(const DescribedCommand& command) {
  std::string words;
  for (const DescribedOption& option : command.options) {
    words += option.names.empty() ? " [" + option.value + "]" : "";
  }
  return words + (command.behind_end.empty() ? "" : " -- [OPTIONS OF " + command.behind_end + "]");
}

} // namespace

std::string manual_page(std::span<const DescribedCommand> commands) {
  std::string text = ".TH SDBENCH 1 \"\" " + roff_argument("sdbench " + std::string(version())) +
                     " \"User Commands\"\n.SH NAME\nsdbench \\- " + std::string(description()) +
                     "\n.SH SYNOPSIS\n.nf\n";
  std::string list;
  for (const DescribedCommand& command : commands) {
    const std::string words = command.words == "run" ? "[run]" : command.words;
    text += ".B " + roff_argument("sdbench " + words + " [OPTIONS]" + following(command)) + "\n";
    list += ".TP\n.B " + roff_argument(command.words) + "\n" + roff_line(command.summary);
  }
  text += ".fi\n.SH COMMANDS\n" + list;
  for (const DescribedCommand& command : commands) {
    text += roff_command(command);
  }
  return text + std::string(kFiles);
}

} // namespace sdbench

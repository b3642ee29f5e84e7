#include "sdbench/front/terminal/folded_message.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sdbench/base/text/escape.h"
#include "sdbench/front/terminal/command_table.h"
#include "sdbench/front/words/terminal_text.h"

namespace sdbench {
namespace {

/// Beginnings of other commands in messages, and of sdbench without a command's name.
constexpr std::array<std::string_view, 4> kOtherCommands = {"hf download ", "sudo ", "git -C ",
                                                            "sdbench --"};

constexpr std::string_view kIndent = "    ";

/// False for the word sdbench in prose.
bool begins_command(std::string_view text) {
  constexpr std::string_view kProgram = "sdbench ";
  if (std::ranges::any_of(kOtherCommands,
                          [text](std::string_view begin) { return text.starts_with(begin); })) {
    return true;
  }
  if (!text.starts_with(kProgram)) {
    return false;
  }
  const std::string_view word = text.substr(kProgram.size());
  return std::ranges::any_of(kCommandNames, [word](std::string_view name) {
    return word.starts_with(name) && word.substr(name.size()).starts_with(' ');
  });
}

/// Position of the next command, at the beginning of a word; npos without a command.
std::size_t command_at(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    if (is_word && begins_command(text.substr(at))) {
      return at;
    }
  }
  return std::string_view::npos;
}

/// Length of the command: up to the first punctuation outside quotes.
std::size_t command_length(std::string_view text) {
  char quote = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (quote != '\0') {
      quote = letter == quote ? '\0' : quote;
    } else if (letter == '"' || letter == '\'') {
      quote = letter;
    } else if (letter == '\\') { // takes the next letter literally
      ++at;
    } else {
      const bool ends_word = at + 1 == text.size() || text[at + 1] == ' ';
      const bool is_end = letter == ';' || letter == ')' || letter == '(';
      if (is_end || ((letter == ',' || letter == '.' || letter == ':') && ends_word)) {
        return at;
      }
    }
  }
  return text.size();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos
             ? std::string_view()
             : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// The end of the word that begins at `begin`, including an option's value.
std::size_t end_of_word(std::string_view text, std::size_t begin) {
  std::size_t end = std::min(text.find(' ', begin), text.size());
  const bool has_value = text.substr(begin).starts_with("--") && end + 1 < text.size() &&
                         text[end + 1] != ' ' && text[end + 1] != '-' &&
                         std::string_view(",;:.)").find(text[end - 1]) == std::string_view::npos;
  return has_value ? std::min(text.find(' ', end + 1), text.size()) : end;
}

class FoldedLines {
public:
  explicit FoldedLines(std::size_t width) : width_(width) {}

  void add_prose(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t word = std::min(text.find_first_not_of(' ', begin), text.size());
      const std::size_t end = word == text.size() ? word : end_of_word(text, word);
      if (sdbench::columns_of(line_) + sdbench::columns_of(text.substr(begin, end - begin)) >
              width_ &&
          has_words_) {
        end_line();
      }
      line_ += text.substr(has_words_ ? begin : word, end - (has_words_ ? begin : word));
      has_words_ = has_words_ || word < end;
      begin = end;
    }
  }
  void add_command(std::string_view command) {
    if (has_words_) {
      end_line();
    }
    line_ = command; // without an indent, because people copy it
    end_line();
  }
  [[nodiscard]] std::string take() {
    if (has_words_) {
      end_line();
    }
    text_.pop_back();
    return std::move(text_);
  }

private:
  void end_line() {
    text_ += line_ + "\n";
    line_ = kIndent.size() * 2 < width_ ? kIndent : "";
    has_words_ = false;
  }

  std::size_t width_;
  std::string text_;
  std::string line_;
  bool has_words_ = false; ///< line_ has words
};

} // namespace

std::string folded_message(const std::string& line, std::size_t width) {
  if (width == 0 || sdbench::columns_of(line) <= width) {
    return line;
  }
  constexpr std::string_view kPunctuation = ",;.:) ";
  FoldedLines lines(width);
  std::string_view rest = line;
  for (std::size_t at = command_at(rest); at != std::string_view::npos; at = command_at(rest)) {
    lines.add_prose(trimmed(rest.substr(0, at)));
    rest.remove_prefix(at);
    const std::size_t length = command_length(rest);
    lines.add_command(trimmed(rest.substr(0, length)));
    rest.remove_prefix(length);
    rest.remove_prefix(std::min(rest.find_first_not_of(kPunctuation), rest.size()));
  }
  lines.add_prose(rest);
  return lines.take();
}

void write_message(std::ostream& err, const LiveTerminal& terminal, std::string_view bytes) {
  const std::size_t width = terminal.width == nullptr ? 0 : terminal.width();
  const std::string line = message_line(bytes);
  err << folded_message(terminal.ascii && width > 0 ? in_ascii(line) : line, width) << std::endl;
}

} // namespace sdbench

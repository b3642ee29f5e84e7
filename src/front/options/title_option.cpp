#include "sdbench/front/options/title_option.h"

#include <algorithm>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"

namespace sdbench {

CLI::Option* add_title_option(CLI::App& app, const std::string& group) {
  return add_text_option(app, "--title", "TEXT", "a line that stands above all", group);
}

std::string checked_title(const CLI::Option& option, std::string_view format) {
  constexpr std::ptrdiff_t kMost = 200;
  if (option.count() == 0) {
    return {};
  }
  if (option.count() > 1) {
    throw UsageError("--title must be given once, but is given " + std::to_string(option.count()) +
                     " times");
  }
  std::string title = option.results().front();
  if (title.find_first_not_of(' ') == std::string::npos || message_line(title) != title) {
    throw UsageError("--title must be a line of text, but is " + in_quotes(title));
  }
  const auto characters = std::ranges::count_if(title, [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; // the first byte of a character
  });
  if (characters > kMost) {
    throw UsageError("--title must have at most " + std::to_string(kMost) +
                     " characters, but has " + std::to_string(characters));
  }
  if (format == "csv" || format == "json" || format == "junit") {
    throw UsageError("--title must stand beside a form for people, but the form is " +
                     std::string(format) + "; leave it out");
  }
  return title;
}

} // namespace sdbench

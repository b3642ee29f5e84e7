#include "sdbench/base/files/own_file.h"

#include <system_error>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench {
namespace {

std::string mark_start(const Comment& comment, std::string_view command) {
  return std::string(comment.begin) + "sdbench " + std::string(command);
}

} // namespace

std::string file_mark(const Comment& comment, std::string_view command, std::string_view more) {
  return mark_start(comment, command) + (more.empty() ? "" : ": ") + std::string(more) +
         std::string(comment.end) + "\n";
}

bool read_file_mark(std::string_view text, const Comment& comment, std::string_view command,
                    std::string& more) {
  const std::string start = mark_start(comment, command);
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t end = comment.end.empty() ? line.size() : line.find(comment.end);
  if (!text.starts_with(start) || end == std::string_view::npos) {
    return false;
  }
  more = text.substr(start.size(), end - start.size());
  more.erase(0, more.starts_with(": ") ? 2 : 0);
  return true;
}

std::string page_mark(std::string_view command) {
  return R"(<meta name="generator" content="sdbench )" + std::string(command) + R"(">)";
}

bool is_page_of(std::string_view text, std::string_view command) {
  return text.find(page_mark(command)) != std::string_view::npos ||
         text.find("<title>sdbench " + std::string(command) + "</title>") != std::string_view::npos;
}

std::string standing_text(const std::filesystem::path& file, std::size_t most) {
  std::error_code not_there;
  if (!std::filesystem::is_regular_file(file, not_there)) {
    return {}; // the writer refuses a folder or a pipe
  }
  return read_beginning(file, most);
}

void refuse_loss(const std::filesystem::path& file, const std::string& what,
                 const std::string& advice) {
  throw Error(file.string() + " holds " + what + ", which would be lost; " + advice +
              ", or add --overwrite");
}

} // namespace sdbench

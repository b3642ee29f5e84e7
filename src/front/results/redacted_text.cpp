#include "sdbench/front/results/redacted_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <regex>
#include <string_view>

#include "sdbench/base/text/listed.h"
#include "sdbench/front/results/shared_fields.h"

namespace sdbench {
namespace {

/// Longer parts of a line are cut off, because std::regex needs stack for each byte.
constexpr std::size_t kLongestLine = 2000;

bool is_word_byte(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

/// A pattern whose second group is removed. The first group is what stands before it, because
/// ECMAScript's patterns cannot look behind.
std::regex telling(const char* pattern) {
  return std::regex(pattern, std::regex::icase | std::regex::optimize);
}

/// Forms of nvidia-smi -q (its manual page) and of the kernel: mm/oom_kill.c for processes that ran
/// out of memory, NVIDIA's "XID errors" for name=.
const std::vector<std::regex>& telling_patterns() {
  static const std::vector<std::regex> patterns = {
      telling(R"((^|\W)([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\b)"),
      telling(R"((\b(?:serial(?:[ _-]?(?:number|num|no))?|pdi|host[ _-]?id|board[ _-]?id)\b["']?)"
              R"([ \t]*[:=]?[ \t]*["']?)([^ \t,;"']+))"),
      telling(R"((^|[^\w:-])((?:[0-9a-f]{2}[:-]){5,19}[0-9a-f]{2})(?![\w:-]))"),
      telling(R"((^|[^\w.])((?:[0-9]{1,3}\.){3}[0-9]{1,3})(?!\w|\.[0-9]))"),
      telling(R"((^|[^\w:.])((?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|)"
              R"((?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6})(?!\w))"),
      telling(R"((^|[^\w.+-])([\w.+-]+@[\w-]+\.[\w.-]+))"),
      telling(R"((^|[^0-9a-f])([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-7])?|)"
              R"([0-9a-f]{2}:[0-9a-f]{2}\.[0-7])(?!\w))"),
      telling(R"((^[ \t]*Name[ \t]*:[ \t]*)(.+))"),
      telling(R"((\bprocess [0-9]+ \()([^)]*))"),
      telling(R"((\b(?:(?:host)?name|task|comm|task_memcg|oom_memcg|cpuset)=)([^, \t][^,]*))"),
      telling(R"((\bComm: )(\S+))"),
      telling(R"((^|\] )(\S[^\]]*)(?= invoked oom-killer))"),
  };
  return patterns;
}

/// Removes all paths that begin with `start`, to their end or the next blank, quote or bracket.
std::string without_paths_from(std::string_view start, std::string line) {
  for (std::size_t at = line.find(start); at != std::string::npos;
       at = line.find(start, at + kRedacted.size())) {
    const std::size_t end =
        std::min(line.find_first_of(" \t\"'()<>,;:", at + start.size()), line.size());
    line.replace(at, end - at, kRedacted);
  }
  return line;
}

std::string redacted_line(std::string_view line, const std::vector<std::string>& words) {
  std::string text(line.substr(0, kLongestLine));
  for (const std::string& word : words) {
    text = word.starts_with('/') ? without_paths_from(word, std::move(text))
                                 : blotted(std::move(text), word);
  }
  for (const std::string_view home : {"/home/", "/Users/", "/root/"}) {
    text = without_paths_from(home, std::move(text));
  }
  for (const std::regex& pattern : telling_patterns()) {
    text = std::regex_replace(text, pattern, "$1" + std::string(kRedacted));
  }
  return text + (line.size() > kLongestLine ? " …" : "");
}

} // namespace

std::string blotted(std::string text, const std::string& word) {
  for (std::size_t at = text.find(word); !word.empty() && at != std::string::npos;
       at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    const bool is_whole = (at == 0 || !is_word_byte(text[at - 1])) &&
                          (end == text.size() || !is_word_byte(text[end]));
    if (is_whole) {
      text.replace(at, word.size(), kRedacted);
    }
    at += is_whole ? kRedacted.size() : 1;
  }
  return text;
}

std::string redacted_text(const std::string& text, const std::vector<std::string>& words) {
  std::string redacted;
  for (const std::string_view line : split(text, '\n')) {
    redacted += (line.data() == text.data() ? "" : "\n") + redacted_line(line, words);
  }
  return redacted;
}

} // namespace sdbench

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
std::regex telling(const std::string& pattern) {
  return std::regex(pattern, std::regex::icase | std::regex::optimize);
}

/// A number of the system that may follow a network interface's name, as in "eth0:fe80::1". The
/// name is tried last, because an address may begin like one.
std::regex address(const std::string& number, const std::string& neighbour) {
  return telling("((?:^|[^" + neighbour + R"(])(?:[a-z][\w.-]*:)??)()" + number +
                 R"()(?!\w|[:-]\w))");
}

/// Forms of nvidia-smi -q (its manual page), of InfiniBand's GUIDs, and of the kernel:
/// mm/oom_kill.c for processes that ran out of memory, NVIDIA's "XID errors" for name=. The kernel
/// cuts a process's name at 15 bytes.
const std::vector<std::regex>& telling_patterns() {
  static const std::vector<std::regex> patterns = {
      telling(R"((^|\W)([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\b)"),
      telling(R"((\b(?:serial(?:[ _-]?(?:number|num|no))?|pdi|\w*guid|host[ _-]?id|)"
              R"(board[ _-]?id)\b["']?[ \t]*[:=]?[ \t]*["']?)([^ \t,;"']+))"),
      telling(R"((^|\W)(0x[0-9a-f]{16,}|(?=[0-9]*[a-f])(?:[0-9a-f]{16}|[0-9a-f]{32}))\b)"),
      address(R"((?:0x)?(?:[0-9a-f]{4}:){3}[0-9a-f]{4})", R"(\w:)"),
      address(R"((?:[0-9a-f]{2}[:-]){5,19}[0-9a-f]{2})", R"(\w:-)"),
      telling(R"((^|[^\w.])((?:[0-9]{1,3}\.){3}[0-9]{1,3})(?!\w|\.[0-9]))"),
      address(R"((?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){2,7}:|)"
              R"((?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6})",
              R"(\w:.)"),
      telling(R"((^|[^\w.+-])([\w.+-]+@[\w-]+\.[\w.-]+))"),
      telling(R"((^|[^0-9a-f])([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-7])?|)"
              R"([0-9a-f]{2}:[0-9a-f]{2}\.[0-7])(?!\w))"),
      telling(R"((^[ \t]*(?:Process )?Name[ \t]*:[ \t]*)(.+))"),
      telling(R"((\bprocess [0-9]+,? (?:UID [0-9]+,? )?\()(.{1,15}(?=\))|[^)]*))"),
      telling(R"((\b(?:(?:host)?name|task|comm|task_memcg|oom_memcg|cpuset)=)([^, \t][^,]*))"),
      telling(R"((\bComm: )(.{1,15}?(?= (?:Not|Tainted|Kdump))|\S+))"),
      telling(R"((^|\] )(\S[^\]]*)(?= invoked oom-killer))"),
  };
  return patterns;
}

constexpr std::string_view kQuotes = "\"'`";

/// A path in quotes ends with them, any other one with a blank, quote or bracket.
std::size_t path_end(const std::string& line, std::size_t start, std::size_t least_end) {
  const char before = start == 0 ? ' ' : line[start - 1];
  if (kQuotes.find(before) != std::string_view::npos) {
    if (const std::size_t end = line.find(before, start); end != std::string::npos) {
      return end;
    }
  }
  std::size_t end = line.find_first_of(" \t\"'`()<>[],;:", least_end);
  while (end != std::string::npos && line[end - 1] == '\\') { // "my\ model"
    end = line.find_first_of(" \t\"'`()<>[],;:", end + 1);
  }
  return std::min(end, line.size());
}

/// Removes all paths that begin with `start`.
std::string without_paths_from(std::string_view start, std::string line) {
  for (std::size_t at = line.find(start); at != std::string::npos;
       at = line.find(start, at + kRedacted.size())) {
    line.replace(at, path_end(line, at, at + start.size()) - at, kRedacted);
  }
  return line;
}

/// True for paths that are alike on all machines.
bool is_of_the_system(std::string_view path) {
  constexpr std::string_view kFolders[] = {"/usr/",  "/lib/",       "/lib64/",  "/bin/",
                                           "/sbin/", "/etc/",       "/boot/",   "/proc/",
                                           "/sys/",  "/dev/nvidia", "/dev/null"};
  return std::ranges::any_of(kFolders,
                             [&](std::string_view each) { return path.starts_with(each); });
}

/// True if a slash here begins an absolute path: not "N/A", "1 / 2", "./x", "</b>" or "::/64".
bool begins_path(const std::string& line, std::size_t at) {
  const char before = at == 0 ? ' ' : line[at - 1];
  const std::size_t name = line.find_first_not_of('/', at);
  return !is_word_byte(before) &&
         std::string_view("_./+-<]").find(before) == std::string_view::npos &&
         !(at >= 2 && line.compare(at - 2, 2, "::") == 0) && name != std::string::npos &&
         std::string_view(" \t)").find(line[name]) == std::string_view::npos;
}

/// Removes all other absolute paths and the addresses of web pages ("://…").
std::string without_private_paths(std::string line) {
  for (std::size_t at = line.find('/'); at != std::string::npos;) {
    if (!begins_path(line, at)) {
      at = line.find('/', at + 1);
      continue;
    }
    const std::size_t end = path_end(line, at, at + 1);
    if (is_of_the_system(std::string_view(line).substr(at, end - at))) {
      at = line.find('/', end);
      continue;
    }
    line.replace(at, end - at, kRedacted);
    at = line.find('/', at + kRedacted.size());
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
  text = without_private_paths(std::move(text));
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

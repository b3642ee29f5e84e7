#include "sdbench/base/device/proc_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <system_error>
#include <vector>

#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The value of the first line "key<blanks><separator> value".
std::optional<std::string_view> value_of(std::string_view text, std::string_view key,
                                         char separator) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t at = line.find(separator);
    if (at != std::string_view::npos && trimmed(line.substr(0, at)) == key) {
      return trimmed(line.substr(at + 1));
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<std::int64_t> proc_bytes(std::string_view text, std::string_view key) {
  const auto value = value_of(text, key, ':');
  if (!value) {
    return std::nullopt;
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(value->data() + value->size() - end));
  constexpr std::int64_t kKilo = 1024;
  if (error != std::errc() || number < 0 ||
      number > std::numeric_limits<std::int64_t>::max() / kKilo || trimmed(unit) != "kB") {
    return std::nullopt;
  }
  return number * kKilo;
}

std::string cpu_name_from(std::string_view cpuinfo) {
  for (const char* key : {"model name", "Model", "Hardware", "cpu"}) {
    if (const auto name = value_of(cpuinfo, key, ':'); name && !name->empty()) {
      return std::string(*name);
    }
  }
  return {};
}

std::set<std::string, std::less<>> cpu_features_from(std::string_view cpuinfo) {
  auto words = value_of(cpuinfo, "flags", ':');
  if (!words) {
    words = value_of(cpuinfo, "Features", ':');
  }
  const std::vector<std::string_view> split_words = split(words.value_or(""), ' ');
  std::set<std::string, std::less<>> features(split_words.begin(), split_words.end());
  features.erase("");
  return features;
}

bool has_bf16(const std::set<std::string, std::less<>>& features) {
  // Arm's word is just "bf16"; no x86 flag has that name.
  return features.contains("avx512_bf16") || features.contains("amx_bf16") ||
         features.contains("bf16");
}

std::string vector_set_of(const std::set<std::string, std::less<>>& features) {
  constexpr std::array kWidestFirst{"amx_bf16", "avx512_bf16", "avx512f", "avx2", "avx", "sse2"};
  for (const char* name : kWidestFirst) {
    if (features.contains(name)) {
      return name;
    }
  }
  const std::string suffix = features.contains("bf16") ? "_bf16" : "";
  return features.contains("sve")     ? "sve" + suffix
         : features.contains("asimd") ? "neon" + suffix
                                      : "unknown";
}

std::string instruction_sets_of(const std::set<std::string, std::less<>>& features) {
  constexpr std::array kKnown{"sse2",        "sse4_2",      "avx",      "f16c",     "fma",
                              "avx2",        "avx_vnni",    "avx512f",  "avx512bw", "avx512_vnni",
                              "avx512_bf16", "avx512_fp16", "amx_tile", "amx_int8", "amx_bf16",
                              "amx_fp16",    "asimd",       "asimdhp",  "asimddp",  "i8mm",
                              "bf16",        "sve",         "sve2",     "sme"};
  const auto is_there = [&](const char* name) { return features.contains(name); };
  return joined(mapped_if<std::string>(kKnown, is_there, std::identity()), " ");
}

std::string os_name_from(std::string_view os_release) {
  std::string_view name = value_of(os_release, "PRETTY_NAME", '=').value_or("");
  if (name.size() >= 2 && (name.front() == '"' || name.front() == '\'') &&
      name.back() == name.front()) {
    name = name.substr(1, name.size() - 2);
  }
  return std::string(name);
}

std::optional<std::string> cgroup_path_from(std::string_view cgroup_file,
                                            std::string_view controller) {
  for (const std::string_view line : split(cgroup_file, '\n')) { // "4:cpu,cpuacct:/some/path"
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second != std::string_view::npos &&
        std::ranges::count(split(line.substr(first + 1, second - first - 1), ','), controller) >
            0) {
      return std::string(line.substr(second + 1));
    }
  }
  return std::nullopt;
}

} // namespace sdbench

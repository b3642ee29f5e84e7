#include "sdbench/front/inventory/cache_list.h"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/other_engines/engine_environment.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/words/text_form.h"

namespace sdbench {
namespace {

using Fields = std::vector<std::pair<const char*, std::string>>;

std::string last_use(const KeptEntry& entry) {
  const auto time = std::chrono::file_clock::to_sys(entry.last_used);
  return utc_text(std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(time)));
}

/// All fields except the size, as files have them.
Fields kept_fields(const KeptEntry& entry) {
  return {{"kind", entry.kind},
          {"engine", escape_text(entry.engine)},
          {"model", escape_text(entry.model)},
          {"dtype", escape_text(entry.dtype)},
          {"shapes", escape_text(entry.shapes)},
          {"state", entry.state},
          {"last_used", last_use(entry)},
          {"path", escape_text(entry.path.string())}};
}

/// "openvino, sd15, fp32, 512x512, batch 1", or the start of the file name if the entry does not
/// describe itself.
std::string words_of(const KeptEntry& entry) {
  constexpr std::size_t kDigits = 12;
  std::string words = joined({entry.engine, entry.model, entry.dtype, entry.shapes});
  if (words.empty()) {
    words = entry.path.filename().string().substr(0, kDigits);
  }
  return words + (entry.state == "whole" ? "" : " (" + entry.state + ")");
}

} // namespace

std::string cache_table(const KeptEntries& kept, const Screen& screen) {
  const std::string cache = cache_folder().string();
  const std::string environments = engines_folder().string();
  if (kept.entries.empty()) {
    return "Nothing is kept in " + cache + ", and no environment is in " + environments + "\n";
  }
  constexpr std::size_t kDate = 10; // length of the date in "2026-11-21T08:37:21Z"
  std::vector<std::vector<std::string>> rows = {{"KIND", "WHAT", "SIZE", "LAST USED"}};
  std::int64_t bytes = 0;
  for (const KeptEntry& entry : kept.entries) {
    bytes += entry.bytes;
    rows.push_back(
        {entry.kind, words_of(entry), bytes_text(entry.bytes), last_use(entry).substr(0, kDate)});
  }
  return aligned_text(rows, screen) + "\nTotal: " + bytes_text(bytes) + " in " + cache +
         ", and environments in " + environments + "\n";
}

std::string cache_csv(const KeptEntries& kept) {
  std::vector<std::string> heads = {"bytes"};
  for (const auto& [name, text] : kept_fields({})) {
    heads.emplace_back(name);
  }
  std::string lines = csv_line(heads);
  for (const KeptEntry& entry : kept.entries) {
    std::vector<std::string> line = {std::to_string(entry.bytes)};
    for (const auto& [name, text] : kept_fields(entry)) {
      line.push_back(csv_text(text));
    }
    lines += csv_line(line);
  }
  return lines;
}

std::string cache_json(const KeptEntries& kept) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const KeptEntry& entry : kept.entries) {
    nlohmann::ordered_json object = {{"bytes", entry.bytes}};
    for (const auto& [name, text] : kept_fields(entry)) {
      object[name] = text;
    }
    list.push_back(std::move(object));
  }
  return list.dump(2) + "\n";
}

} // namespace sdbench

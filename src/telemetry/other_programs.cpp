#include "sdbench/telemetry/other_programs.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

#include <unistd.h>

#include "process_stat.h"
#include "sdbench/core/number_text.h"
#include "sdbench/device/folder_entries.h"

namespace sdbench {
namespace {

constexpr int kDeepest = 64; // processes may die while they are read: never for ever

bool descends_from(std::int64_t id, std::int64_t ancestor, const ProcessTimes& times) {
  for (int i = 0; i < kDeepest; ++i) {
    if (id == ancestor) {
      return true;
    }
    const auto found = times.find(id);
    if (found == times.end()) {
      return false;
    }
    id = found->second.parent;
  }
  return false;
}

/// The nearest process above `id` that is still there; 0 for none.
std::int64_t heir_of(std::int64_t id, const ProcessTimes& before, const ProcessTimes& after) {
  for (int i = 0; i < kDeepest; ++i) {
    const auto found = before.find(id);
    if (found == before.end()) {
      return 0;
    }
    id = found->second.parent;
    if (after.contains(id)) {
      return id;
    }
  }
  return 0;
}

/// Seconds that each process has had since the first look.
std::map<std::int64_t, double> growth_of(const ProcessTimes& before, const ProcessTimes& after) {
  std::map<std::int64_t, double> grown;
  for (const auto& [id, time] : after) {
    const auto earlier = before.find(id);
    const bool is_same = earlier != before.end() && earlier->second.seconds <= time.seconds;
    grown[id] = time.seconds - (is_same ? earlier->second.seconds : 0);
  }
  // Who waits for a process that ends takes over all its time, also what it had before.
  for (const auto& [id, time] : before) {
    if (!after.contains(id)) {
      if (const std::int64_t heir = heir_of(id, before, after); heir != 0) {
        grown[heir] = std::max(grown[heir] - time.seconds, 0.0);
      }
    }
  }
  return grown;
}

} // namespace

ProcessTimes read_process_times(const std::filesystem::path& root) {
  const double tick_s = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  ProcessTimes times;
  for (const std::filesystem::path& entry : folder_entries(root / "proc")) {
    const std::string id = entry.filename().string();
    const bool is_process = std::ranges::all_of(
        id, [](char byte) { return std::isdigit(static_cast<unsigned char>(byte)) != 0; });
    if (!is_process) {
      continue;
    }
    if (auto stat = process_stat_of(id, root)) {
      times[std::stoll(id)] = {std::move(stat->name), stat->parent,
                               (stat->ticks + stat->ticks_of_ended) * tick_s};
    }
  }
  return times;
}

std::string heaviest_programs(const ProcessTimes& before, const ProcessTimes& after, double seconds,
                              std::int64_t self) {
  constexpr double kPercent = 100;
  constexpr double kWorthNamingPercent = 5;
  constexpr std::size_t kMostNames = 3;
  std::map<std::string, double> by_name;
  for (const auto& [id, grown_s] : growth_of(before, after)) {
    if (!descends_from(id, self, after)) {
      by_name[after.at(id).name] += grown_s;
    }
  }
  std::vector<std::pair<double, std::string>> heaviest;
  for (const auto& [name, grown_s] : by_name) {
    const double percent = seconds > 0 ? kPercent * grown_s / seconds : 0;
    if (percent >= kWorthNamingPercent) {
      heaviest.emplace_back(percent, name);
    }
  }
  std::ranges::sort(heaviest, std::greater<>());
  heaviest.resize(std::min(heaviest.size(), kMostNames));
  std::string text;
  for (const auto& [percent, name] : heaviest) {
    text += (text.empty() ? "" : ", ") + name + " " + significant_text(percent, 2) + " %";
  }
  return text;
}

} // namespace sdbench

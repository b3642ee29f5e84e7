#include "sdbench/front/telemetry/other_programs.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <unistd.h>

#include "proc_files.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/machine/folder_entries.h"

namespace sdbench {
namespace {

std::int64_t parent_in(const ProcessTimes& times, std::int64_t id) {
  const auto found = times.find(id);
  return found == times.end() ? 0 : found->second.parent;
}

bool descends_from(std::int64_t id, std::int64_t ancestor, const ProcessTimes& times) {
  return first_upwards(
             id, [&](std::int64_t child) { return parent_in(times, child); },
             [ancestor](std::int64_t process) { return process == ancestor; }) != 0;
}

/// The nearest ancestor of `id` that is still running; 0 if there is none.
std::int64_t heir_of(std::int64_t id, const ProcessTimes& before, const ProcessTimes& after) {
  return first_upwards(
      parent_in(before, id), [&](std::int64_t child) { return parent_in(before, child); },
      [&](std::int64_t process) { return after.contains(process); });
}

double since(double after, double before) {
  return after >= before ? after - before : after; // less: a different process has that id now
}

/// CPU seconds of each program since the first look, by name; without `self` and its descendants.
std::map<std::string, double> growth_by_name(const ProcessTimes& before, const ProcessTimes& after,
                                             std::int64_t self) {
  struct Ended {
    double seconds = 0; ///< CPU time that they had before the first look
    std::string name;   ///< name of the one that had the most
    double most = -1;
  };
  std::map<std::int64_t, Ended> ended; // by the ancestor that has waited for them
  for (const auto& [id, time] : before) {
    if (!after.contains(id)) {
      Ended& heirs = ended[heir_of(id, before, after)];
      heirs.seconds += time.seconds + time.ended_s;
      if (time.seconds > heirs.most) {
        heirs.most = time.seconds;
        heirs.name = time.name;
      }
    }
  }
  std::map<std::string, double> by_name;
  for (const auto& [id, time] : after) {
    if (descends_from(id, self, after)) {
      continue;
    }
    const auto earlier = before.find(id);
    const ProcessTime first = earlier == before.end() ? ProcessTime{} : earlier->second;
    by_name[time.name] += since(time.seconds, first.seconds);
    const auto gone = ended.find(id);
    const Ended known = gone == ended.end() ? Ended{} : gone->second;
    by_name[known.name.empty() ? "programs of " + time.name : known.name] +=
        std::max(since(time.ended_s, first.ended_s) - known.seconds, 0.0);
  }
  return by_name;
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
      times[std::stoll(id)] = {std::move(stat->name), stat->parent, stat->ticks * tick_s,
                               stat->ticks_of_ended * tick_s};
    }
  }
  return times;
}

std::string heaviest_programs(const ProcessTimes& before, const ProcessTimes& after, double seconds,
                              std::int64_t self) {
  constexpr double kPercent = 100;
  constexpr double kWorthNamingPercent = 5;
  constexpr std::size_t kMostNames = 3;
  std::vector<std::pair<double, std::string>> heaviest;
  for (const auto& [name, grown_s] : growth_by_name(before, after, self)) {
    const double percent = seconds > 0 ? kPercent * grown_s / seconds : 0;
    if (percent >= kWorthNamingPercent) {
      heaviest.emplace_back(percent, name);
    }
  }
  std::ranges::sort(heaviest, std::greater<>());
  heaviest.resize(std::min(heaviest.size(), kMostNames));
  return joined(mapped(heaviest, [](const auto& program) {
    return program.second + " " + significant_text(program.first, 2) + " %";
  }));
}

} // namespace sdbench

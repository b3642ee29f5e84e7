#include "sdbench/front/telemetry/busy.h"

#include <algorithm>
#include <cstdint>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"

namespace sdbench {
namespace {

constexpr double kLeastShown = 0.05; // cores; less would be shown as 0.0

std::string cores_text(double cores) {
  return significant_text(cores, 2);
}

/// "of 2 cores"
std::string of_all_text(double cores) {
  return "of " + counted(static_cast<std::int64_t>(cores), "core");
}

} // namespace

std::optional<OthersShare> others_share(const ProcessorUse& before, const ProcessorUse& after,
                                        double seconds) {
  const auto grown = [&](auto member) {
    const std::optional<double>& first = before.*member;
    const std::optional<double>& last = after.*member;
    // A counter that went back was reset.
    return first && last && *last >= *first ? std::optional(*last - *first) : std::nullopt;
  };
  const auto total = grown(&ProcessorUse::total_s);
  const auto busy = grown(&ProcessorUse::busy_s);
  const auto steal = grown(&ProcessorUse::steal_s);
  const auto own = grown(&ProcessorUse::own_s);
  const bool same_cores = before.cores == after.cores; // a core may be switched off meanwhile
  if (!total || !busy || !steal || !own || !same_cores || *total <= 0) {
    return std::nullopt;
  }
  OthersShare share;
  share.cores = *after.cores;
  share.seconds = seconds;
  share.foreign_cores = share.cores * std::clamp(*busy - *own, 0.0, *total) / *total;
  share.foreign_cores_max = share.foreign_cores;
  share.steal_cores = share.cores * *steal / *total;
  return share;
}

double cores_to_spare(const CoresNeeded& needed, double all_cores) {
  constexpr double kOfAll = 0.1;
  constexpr double kOfACore = 0.1;
  const double free = std::max(all_cores - needed.cores, 0.0);
  return (needed.on_cpu ? std::min(free, kOfAll * all_cores) : free) + kOfACore;
}

bool is_busy(const OthersShare& others, const CoresNeeded& needed) {
  constexpr double kFiveTicks = 0.05; // seconds
  const double beyond =
      others.foreign_cores + others.steal_cores - cores_to_spare(needed, others.cores);
  return beyond > 0 && (others.foreign_cores + others.steal_cores) * others.seconds > kFiveTicks;
}

std::string busy_words(const OthersShare& others, const std::string& programs) {
  const std::string foreign = cores_text(others.foreign_cores);
  const std::string stolen = cores_text(others.steal_cores);
  const std::string all = of_all_text(others.cores);
  std::string text;
  if (others.foreign_cores >= kLeastShown) {
    text = "other programs had " + foreign + " " + all +
           (programs.empty() ? "" : " (" + programs + ")");
  }
  if (others.steal_cores >= kLeastShown) {
    text += text.empty() ? "the hypervisor took " + stolen + " " + all + " for other machines"
                         : ", the hypervisor took " + stolen + " for other machines";
  }
  return text;
}

} // namespace sdbench

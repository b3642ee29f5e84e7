#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/sampler_table.h"

namespace sdbench {

/// What makes the images of a run, by the name that records have for it.
struct SchedulerName {
  const SamplerRow& sampler;
  bool karras = false; ///< noise levels after Karras et al.
};

/// "euler", or with such noise levels "euler_karras".
[[nodiscard]] std::string scheduler_name(const SchedulerName& scheduler);
/// What a record's name says. A name that scheduler_name() never gives is the usual sampler's,
/// without such noise levels.
[[nodiscard]] SchedulerName scheduler_named(std::string_view name);

/// What --scheduler may be; the first is the default.
[[nodiscard]] std::vector<std::string> scheduler_choices();

} // namespace sdbench

#pragma once

#include <string>

#include "sdbench/front/bench/executor_factory.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// The engines that --engine takes: ours, then those of others. Tells on which devices of this
/// machine each runs, and the disk space that it needs.
[[nodiscard]] std::string engine_list_text(bool json, const Screen& screen,
                                           const ExecutorFactory& make_executor);

} // namespace sdbench

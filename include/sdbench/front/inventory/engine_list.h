#pragma once

#include <string>

#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// A list of the engines that --engine accepts: ours, then those of other projects. For each
/// engine, says on which devices of this machine it runs, and how much disk space it needs.
[[nodiscard]] std::string engine_list_text(bool json, const Screen& screen,
                                           const ExecutorFactory& make_executor);

} // namespace sdbench

#pragma once

#include <string>

#include "sdbench/front/bench/executor_factory.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// What --engine may be: ours, then those of others, on which device of this machine each runs, and
/// what it takes.
[[nodiscard]] std::string engine_list_text(bool json, const Screen& screen,
                                           const ExecutorFactory& make_executor);

} // namespace sdbench

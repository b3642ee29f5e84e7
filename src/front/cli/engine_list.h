#pragma once

#include <string>

#include "sdbench/front/words/screen.h"

namespace sdbench {

/// What `sdbench list engines` prints, as a table or as JSON: each engine, on what it runs, and
/// whether it is set up.
[[nodiscard]] std::string engine_list_text(bool json, const Screen& screen);

} // namespace sdbench

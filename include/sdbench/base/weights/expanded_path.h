#pragma once

#include <string>

namespace sdbench {

/// "~" or "~/…" at the start becomes HOME, then $NAME and ${NAME} become the environment's values:
/// Python's os.path.expanduser and expandvars, as huggingface_hub reads its variables. Unset
/// variables and "~user" stay as they are.
[[nodiscard]] std::string expanded_path(const std::string& path);

} // namespace sdbench

#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Replaces "~" and "~/…" at the start by HOME, if that is set; "~user" stays. A shell does this
/// only at the start of a word, and nothing does it in a config file.
[[nodiscard]] std::string with_home(const std::string& path);

/// True if an option's value may be a path, by its name in the help: "FILE", "NAME|PATH", "DIR".
[[nodiscard]] bool is_path_value(std::string_view value_name);

/// "~" or "~/…" at the start becomes HOME, then $NAME and ${NAME} become the environment's values:
/// Python's os.path.expanduser and expandvars, as huggingface_hub reads its variables. Unset
/// variables and "~user" stay as they are.
[[nodiscard]] std::string expanded_path(const std::string& path);

} // namespace sdbench

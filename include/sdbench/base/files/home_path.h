#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Replaces a leading "~" by the value of HOME, if the path is "~" or begins with "~/" and HOME is
/// set. "~user" stays unchanged. sdbench does this itself because a shell expands "~" only at the
/// start of a word, and nothing expands paths in config files.
[[nodiscard]] std::string with_home(const std::string& path);

/// True if the placeholder of an option's value in --help says that the value may be a path:
/// "FILE", "NAME|PATH", "DIR".
[[nodiscard]] bool is_path_value(std::string_view value_name);

/// Replaces "~" at the start by HOME, then $NAME and ${NAME} by the values of environment
/// variables. This is what Python's os.path.expanduser and expandvars do, which huggingface_hub
/// applies to its variables. Variables that are not set, and "~user", stay as they are.
[[nodiscard]] std::string expanded_path(const std::string& path);

} // namespace sdbench

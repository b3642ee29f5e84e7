#pragma once

#include <string>
#include <vector>

namespace sdbench {

/// The text with "[redacted]" in place of `word`, wherever it is a whole word.
[[nodiscard]] std::string blotted(std::string text, const std::string& word);

/// The text of a program, driver or kernel without what tells whose machine it is. "[redacted]"
/// replaces:
/// - each of `words` (hosts, users) as a whole word; for a path, all paths that begin with it
/// - absolute paths, but for those of the system such as /usr and /proc
/// - UUIDs, GUIDs, serial numbers, MAC, IP, e-mail and PCI addresses
/// - names of processes, as nvidia-smi -q and the kernel write them
[[nodiscard]] std::string redacted_text(const std::string& text,
                                        const std::vector<std::string>& words);

} // namespace sdbench

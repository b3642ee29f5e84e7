#pragma once

#include <string>
#include <vector>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A file of a bug report.
struct BugFile {
  std::string name;
  std::string text; ///< after redacted_text()
};

struct BugFiles {
  std::vector<BugFile> files;
  std::vector<std::string> left_out; ///< what is not there, and why: "kernel.txt: …"
};

/// Collects the record, what its worker wrote last, a command that repeats the cell, and what
/// programs of this machine report about its versions, GPUs and kernel.
[[nodiscard]] BugFiles bug_files(const RunRecord& record);

} // namespace sdbench

#include "sdbench/front/bench/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "sdbench/base/errors/error.h"

namespace sdbench {

TemporaryFolder::TemporaryFolder() {
  std::error_code missing;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(missing);
  if (const char* const named = std::getenv("TMPDIR"); missing && named != nullptr) {
    throw Error("TMPDIR must be a folder that is there, but is " + std::string(named) +
                "; name another");
  }
  std::string name = (parent / "sdbench-XXXXXX").string();
  if (missing || ::mkdtemp(name.data()) == nullptr) {
    throw Error("cannot make a temporary folder in " + parent.string() + ": " +
                (missing ? missing.message() : std::strerror(errno)) +
                "; name another place with TMPDIR");
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace sdbench

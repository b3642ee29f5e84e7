#include "shared_memory.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

[[noreturn]] void refuse(const std::string& problem, int reason) {
  throw Error("devices that share a batch must have memory that their processes share, but " +
              problem + ": " + std::strerror(reason) + "; or take --share each");
}

} // namespace

SharedMemory::SharedMemory(Descriptor file, std::size_t bytes) : file_(std::move(file)) {
  void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (start == MAP_FAILED) {
    refuse("it cannot be mapped", errno);
  }
  bytes_ = {static_cast<std::byte*>(start), bytes};
}

SharedMemory::~SharedMemory() {
  if (file_.ok()) {
    ::munmap(bytes_.data(), bytes_.size());
  }
}

SharedMemory SharedMemory::make(std::size_t bytes) {
  Descriptor file(::memfd_create("sdbench", MFD_CLOEXEC));
  if (!file.ok()) {
    refuse("it cannot be made", errno);
  }
  if (const int reason = ::posix_fallocate(file.get(), 0, static_cast<off_t>(bytes)); reason != 0) {
    refuse("there is too little of it", reason);
  }
  return {std::move(file), bytes};
}

SharedMemory SharedMemory::open(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat facts {};
  if (!file.ok() || ::fstat(file.get(), &facts) != 0) {
    refuse(path + " cannot be opened", errno);
  }
  return {std::move(file), static_cast<std::size_t>(facts.st_size)};
}

std::string SharedMemory::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_.get());
}

} // namespace sdbench

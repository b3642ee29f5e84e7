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
  throw Error("devices that share a batch must have memory between their processes, but " +
              problem + ": " + std::strerror(reason) + "; or take --share each");
}

} // namespace

SharedMemory::SharedMemory(int descriptor, std::size_t bytes) : descriptor_(descriptor) {
  void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (start == MAP_FAILED) {
    const int reason = errno;
    ::close(descriptor);
    refuse("it cannot be mapped", reason);
  }
  bytes_ = {static_cast<std::byte*>(start), bytes};
}

SharedMemory::~SharedMemory() {
  if (descriptor_ >= 0) {
    ::munmap(bytes_.data(), bytes_.size());
    ::close(descriptor_);
  }
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), bytes_(other.bytes_) {}

SharedMemory SharedMemory::make(std::size_t bytes) {
  const int descriptor = ::memfd_create("sdbench", MFD_CLOEXEC);
  if (descriptor < 0) {
    refuse("none can be made", errno);
  }
  if (const int reason = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)); reason != 0) {
    ::close(descriptor);
    refuse("there is too little of it", reason);
  }
  return {descriptor, bytes};
}

SharedMemory SharedMemory::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat facts {};
  if (descriptor < 0 || ::fstat(descriptor, &facts) != 0) {
    refuse(path + " cannot be opened", errno);
  }
  return {descriptor, static_cast<std::size_t>(facts.st_size)};
}

std::string SharedMemory::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_);
}

} // namespace sdbench

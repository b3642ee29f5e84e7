#pragma once

#include <filesystem>

namespace sdbench {

/// A file descriptor that closes itself. Negative: no descriptor.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool ok() const { return fd_ >= 0; }

private:
  int fd_;
};

/// Opens a regular file for reading without waiting (a FIFO would block open forever). Throws Error
/// with file and reason, also for folders and devices.
[[nodiscard]] Descriptor open_regular_file(const std::filesystem::path& path);

} // namespace sdbench

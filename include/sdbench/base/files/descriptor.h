#pragma once

#include <filesystem>

namespace sdbench {

/// Owns a file descriptor and closes it. A negative number means no descriptor.
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

/// True if `path` names exactly this open file. `follows_links`: false if a link at `path` counts
/// as a file of its own.
[[nodiscard]] bool is_named(const Descriptor& file, const std::filesystem::path& path,
                            bool follows_links);

/// Opens a regular file for reading. Never blocks, even if the path is a FIFO. Throws Error with
/// the file and the reason, also for folders, devices and FIFOs.
[[nodiscard]] Descriptor open_regular_file(const std::filesystem::path& path);

} // namespace sdbench

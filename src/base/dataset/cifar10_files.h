#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// The files of CIFAR-10 in one form, binary or Python's pickles. All files exist.
struct Cifar10Files {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> train; ///< in the order of their numbers
  std::filesystem::path test;
  bool is_binary = false; ///< false: Python's pickles
};

/// Searches `path`, then its subfolders with the names of unpacked archives. Throws the errors of
/// find_cifar10 (cifar10.h).
[[nodiscard]] Cifar10Files cifar10_files(const std::filesystem::path& path,
                                         const std::string& what);

} // namespace sdbench

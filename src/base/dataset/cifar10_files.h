#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// The complete files of one form of CIFAR-10.
struct Cifar10Files {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> train; ///< in their order
  std::filesystem::path test;
  bool is_binary = false; ///< else Python's pickles
};

/// Searches `path` and the folders of unpacked archives. Throws the errors of find_cifar10
/// (cifar10.h).
[[nodiscard]] Cifar10Files cifar10_files(const std::filesystem::path& path,
                                         const std::string& what);

} // namespace sdbench

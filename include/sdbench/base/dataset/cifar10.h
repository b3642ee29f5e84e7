#pragma once

#include <filesystem>
#include <string>

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// The folder that holds CIFAR-10's batches: `path` itself, or cifar-10-batches-bin or
/// cifar-10-batches-py in it, the folders of the archives and of torchvision. Throws Error if there
/// is no such folder or batches are missing. The error says what to do, also for a missing path, a
/// file, a packed archive and CIFAR-100. `what`: how the error names the path.
[[nodiscard]] std::filesystem::path find_cifar10(const std::filesystem::path& path,
                                                 const std::string& what = "data");

/// Reads CIFAR-10 (Krizhevsky, "Learning multiple layers of features from tiny images", 2009; form:
/// https://www.cs.toronto.edu/~kriz/cifar.html) from a path for find_cifar10: data_batch_1 to 5 and
/// test_batch, in the binary form (.bin: rows of a label and 3,072 bytes) or in Python's
/// (pickled_batch.h). A file may hold one or more images. Throws Error, which names the file, if it
/// is truncated or in another format, or if a label is not from 0 to 9.
[[nodiscard]] Dataset read_cifar10(const std::filesystem::path& path);

} // namespace sdbench

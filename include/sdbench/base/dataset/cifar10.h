#pragma once

#include <filesystem>
#include <string>

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// The folder that holds CIFAR-10's batches: `path` itself, or cifar-10-batches-bin or
/// cifar-10-batches-py in it, as the archives unpack and torchvision keeps them. Throws Error if
/// there is no such folder or batches are missing. The error says what to do, also for a path that
/// does not exist or is a file, for a packed archive and for CIFAR-100. `what`: how the error names
/// the path.
[[nodiscard]] std::filesystem::path find_cifar10(const std::filesystem::path& path,
                                                 const std::string& what = "data");

/// Reads CIFAR-10 (Krizhevsky, "Learning multiple layers of features from tiny images", 2009; form:
/// https://www.cs.toronto.edu/~kriz/cifar.html) from what find_cifar10 takes: data_batch_1 to 5 and
/// test_batch, in the binary form (.bin: rows of a label and 3,072 bytes) or in Python's
/// (pickled_batch.h). A file may hold any number of images from 1. Throws Error, which names the
/// file, for one that is cut off or in another format, and for a label that is not from 0 to 9.
[[nodiscard]] Dataset read_cifar10(const std::filesystem::path& path);

} // namespace sdbench

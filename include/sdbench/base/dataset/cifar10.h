#pragma once

#include <filesystem>
#include <string>

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// Finds the folder that contains CIFAR-10's batch files: `path` itself, or the folder in it that
/// the official archives and torchvision make (cifar-10-batches-bin or cifar-10-batches-py). Throws
/// Error if there is no such folder or a batch is missing; the error says what to do. There are
/// special errors for a missing path, a file, a packed archive and CIFAR-100. `what`: name of the
/// path in errors.
[[nodiscard]] std::filesystem::path find_cifar10(const std::filesystem::path& path,
                                                 const std::string& what = "data");

/// Reads CIFAR-10 from a path that find_cifar10 accepts: the files data_batch_1 to data_batch_5 and
/// test_batch. The files are in binary form (.bin, where each row is a label and 3,072 bytes) or in
/// Python's form (pickled_batch.h). A file may contain any number of images, but at least 1. Throws
/// Error with the file's name for a truncated file, for another format, and for a label that is not
/// from 0 to 9. Source: Krizhevsky, "Learning multiple layers of features from tiny images", 2009;
/// format: https://www.cs.toronto.edu/~kriz/cifar.html.
[[nodiscard]] Dataset read_cifar10(const std::filesystem::path& path);

} // namespace sdbench

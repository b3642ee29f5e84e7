#pragma once

#include <string>

#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// A name without the prefixes of PyTorch's wrappers: DistributedDataParallel and DataParallel put
/// "module." in front, torch.compile puts "_orig_mod." before the compiled part.
[[nodiscard]] std::string without_wrappers(std::string name);

/// Removes these prefixes from a file's names: "_orig_mod." anywhere, "module." only if all names
/// begin with it. Returns what was removed, such as `"_orig_mod."`; empty if nothing was. Throws
/// Error, with `origin` in front, if two names become one.
[[nodiscard]] std::string take_off_wrappers(TensorMap& tensors, const std::string& origin);

} // namespace sdbench

#pragma once

#include <string>

#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// A name without what PyTorch's wrappers put there: DistributedDataParallel and DataParallel
/// "module." in front, torch.compile "_orig_mod." in front of what it compiled.
[[nodiscard]] std::string without_wrappers(std::string name);

/// Takes them off a file's names: "_orig_mod." wherever it stands, "module." where all names begin
/// with it. Returns what was taken off, `"_orig_mod."` for one; empty: nothing. Throws Error if two
/// names become one; `origin` stands before it.
[[nodiscard]] std::string take_off_wrappers(TensorMap& tensors, const std::string& origin);

} // namespace sdbench

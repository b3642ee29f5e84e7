#pragma once

#include <string>
#include <string_view>

#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Collects renamed tensors. Throws Error, with `origin` in front, if two tensors get the same
/// name.
class RenamedTensors {
public:
  explicit RenamedTensors(std::string origin) : origin_(std::move(origin)) {}

  void add(const std::string& name, TensorView view, const std::string& name_in_file);
  /// The same for a tensor that tools store under several names. If a tensor of that name and shape
  /// was added before, keeps that one.
  void add_spelling(const std::string& name, TensorView view, const std::string& name_in_file);
  [[nodiscard]] TensorMap take() { return std::move(tensors_); }

private:
  std::string origin_;
  TensorMap tensors_;
};

/// Returns the view of a VAE's tensor, whose name after renaming is `name`. Attention weights
/// stored as 1x1 convolutions, [out, in, 1, 1] or [out, in, 1], become matrices.
[[nodiscard]] TensorView vae_view(std::string_view name, TensorView view);

/// Adds the prefix `text_model.`, which transformers 5 omits, to a text encoder's name.
[[nodiscard]] std::string text_name(const std::string& name);

/// A name without the prefixes of PyTorch's wrappers: DistributedDataParallel and DataParallel put
/// "module." in front, torch.compile puts "_orig_mod." before the compiled part.
[[nodiscard]] std::string without_wrappers(std::string name);

/// Removes these prefixes from a file's names: "_orig_mod." anywhere, "module." only if all names
/// begin with it. Returns what was removed, such as `"_orig_mod."`; empty if nothing was. Throws
/// Error, with `origin` in front, if two names become one.
[[nodiscard]] std::string take_off_wrappers(TensorMap& tensors, const std::string& origin);

} // namespace sdbench

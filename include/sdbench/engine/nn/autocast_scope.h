#pragma once

#include <optional>

#include <ATen/core/grad_mode.h>
#include <c10/core/DeviceType.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/ScalarType.h>

namespace sdbench {

/// torch.autocast for this thread while it lives: libtorch's own lists decide operator by operator.
/// Without a dtype nothing changes. The weights' lower-precision copies are dropped at the end.
class AutocastScope {
public:
  enum class Gradients { kNo, kYes };
  AutocastScope(c10::DeviceType device, std::optional<c10::ScalarType> dtype,
                Gradients gradients = Gradients::kNo);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

private:
  struct Before {
    bool enabled;
    c10::ScalarType dtype;
  };
  c10::DeviceType device_;
  std::optional<c10::InferenceMode> normal_mode_;
  std::optional<at::NoGradGuard> no_gradients_; ///< ends before inference mode comes back
  std::optional<Before> before_;
};

} // namespace sdbench

#pragma once

#include <optional>

#include <ATen/core/grad_mode.h>
#include <c10/core/DeviceType.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/ScalarType.h>

namespace sdbench {

/// Switches torch.autocast on for this thread while the object lives. libtorch chooses the dtype of
/// each operator. Without a `dtype`, the object does nothing. The destructor drops the
/// lower-precision copies of the weights.
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
  std::optional<at::NoGradGuard>
      no_gradients_; ///< declared after normal_mode_, so that it is destroyed first
  std::optional<Before> before_;
};

} // namespace sdbench

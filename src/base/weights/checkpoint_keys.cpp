#include "sdbench/base/weights/checkpoint_keys.h"

#include <string_view>
#include <utility>

#include "renaming.h"

namespace sdbench {
namespace {

std::string current_vae_name(const std::string& name) {
  constexpr std::pair<std::string_view, std::string_view> kOldAttention[] = {
      {".query.", ".to_q."},
      {".key.", ".to_k."},
      {".value.", ".to_v."},
      {".proj_attn.", ".to_out.0."},
  };
  for (const auto& [old_part, new_part] : kOldAttention) {
    const std::size_t at = name.rfind(old_part);
    if (at != std::string::npos && name.find(".attentions.") < at) {
      return name.substr(0, at) + std::string(new_part) + name.substr(at + old_part.size());
    }
  }
  return name;
}

} // namespace

TensorMap current_names(Component component, const TensorMap& tensors, const std::string& origin) {
  RenamedTensors out(origin);
  for (const auto& [name, view] : tensors) {
    if (component == Component::kVae) {
      const std::string current = current_vae_name(name);
      out.add(current, vae_view(current, view), name);
    } else if (component == Component::kUNet) {
      out.add(name, view, name);
    } else if (!name.ends_with("position_ids")) {
      out.add(text_name(name), view, name);
    }
  }
  return out.take();
}

} // namespace sdbench

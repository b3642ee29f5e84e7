#pragma once

namespace sdbench {

/// The parts of a model that have weights.
enum class Component { kTextEncoder, kTextEncoder2, kUNet, kVae };

/// The part's folder in diffusers' layout: "text_encoder", "text_encoder_2", "unet", "vae".
[[nodiscard]] const char* folder_name(Component component);

} // namespace sdbench

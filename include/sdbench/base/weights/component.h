#pragma once

namespace sdbench {

/// The parts of a model that have weights. A network is a single part.
enum class Component { kTextEncoder, kTextEncoder2, kUNet, kVae, kNetwork };

/// The part's folder in diffusers' layout: "text_encoder", "text_encoder_2", "unet", "vae"; and
/// "network", which is only a name, because a network has a file of its own.
[[nodiscard]] const char* folder_name(Component component);

} // namespace sdbench

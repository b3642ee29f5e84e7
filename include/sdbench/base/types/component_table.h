#pragma once

#include <span>

namespace sdbench {

/// The parts of a model that have weights. An image classifier is a single part, kNetwork.
enum class Component { kTextEncoder, kTextEncoder2, kUNet, kVae, kNetwork };

/// What a component computes. Components with the same role have the same precision and belong to
/// the same stage of a run.
enum class ComponentRole { kText, kDenoiser, kVae, kNetwork };

/// Properties of a component that are the same for all models.
struct ComponentRow {
  Component component;
  ComponentRole role;
  /// Name of its folder in a diffusers model. For kNetwork no such folder exists, because an image
  /// classifier is a single file.
  const char* folder;
  const char* weights;   ///< name of its weight file, without the extension
  const char* tokenizer; ///< folder of its tokenizer; nullptr: it takes no tokens
};

/// The components of diffusion pipelines, in the order in which a pipeline loads them.
[[nodiscard]] std::span<const ComponentRow> pipeline_components();
/// The properties of a component.
[[nodiscard]] const ComponentRow& component_row(Component component);
[[nodiscard]] const char* folder_name(Component component);

} // namespace sdbench

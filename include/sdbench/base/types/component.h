#pragma once

#include <span>

namespace sdbench {

/// The parts of a model that have weights. A network is a single part.
enum class Component { kTextEncoder, kTextEncoder2, kUNet, kVae, kNetwork };

/// What a component computes. Components of one role have one precision and one stage of a run.
enum class ComponentRole { kText, kDenoiser, kVae, kNetwork };

/// What is known of a component, whatever its model is.
struct ComponentRow {
  Component component;
  ComponentRole role;
  const char* folder;    ///< in diffusers' layout; a network has a file, so there it is only a name
  const char* weights;   ///< the name of its file of weights, without ending
  const char* tokenizer; ///< the folder of its tokenizer; null: it reads no text
};

/// The rows of the parts of pipelines, in the order in which a pipeline loads them.
[[nodiscard]] std::span<const ComponentRow> pipeline_components();
[[nodiscard]] const ComponentRow& component_row(Component component);
[[nodiscard]] const char* folder_name(Component component);

} // namespace sdbench

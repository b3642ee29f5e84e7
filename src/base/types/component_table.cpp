#include "sdbench/base/types/component_table.h"

#include <algorithm>
#include <iterator>

namespace sdbench {
namespace {

constexpr const char* kOfDiffusers = "diffusion_pytorch_model";
constexpr const char* kOfTransformers = "model";

constexpr ComponentRow kComponents[] = {
    {Component::kTextEncoder, ComponentRole::kText, "text_encoder", kOfTransformers, "tokenizer"},
    {Component::kTextEncoder2, ComponentRole::kText, "text_encoder_2", kOfTransformers,
     "tokenizer_2"},
    {Component::kUNet, ComponentRole::kDenoiser, "unet", kOfDiffusers, nullptr},
    {Component::kVae, ComponentRole::kVae, "vae", kOfDiffusers, nullptr},
    {Component::kNetwork, ComponentRole::kNetwork, "network", "model", nullptr}, // the last
};

} // namespace

std::span<const ComponentRow> pipeline_components() {
  return std::span(kComponents).first<std::size(kComponents) - 1>();
}

const ComponentRow& component_row(Component component) {
  return *std::ranges::find(kComponents, component, &ComponentRow::component);
}

const char* folder_name(Component component) {
  return component_row(component).folder;
}

} // namespace sdbench

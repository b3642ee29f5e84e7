#include "sdbench/base/weights/single_file_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "renaming.h"
#include "sdbench/base/weights/compvis_names.h"

namespace sdbench {
namespace {

/// True for buffers, leftovers of training and markers (single_file.h), which are not weights.
bool is_ignored(std::string_view name) {
  constexpr std::array kExact{"betas",           "logvar", "lvlb_weights", "global_step",
                              "denoiser.sigmas", "v_pred", "ztsnr"};
  constexpr std::array kStarts{"posterior_", "sqrt_", "model_ema.", "first_stage_model.loss.",
                               "first_stage_model.model_ema."};
  constexpr std::array kEnds{"position_ids", "logit_scale"};
  const auto any = [](const auto& list, auto&& matches) {
    return std::any_of(list.begin(), list.end(), matches);
  };
  return any(kExact, [&](const char* exact) { return name == exact; }) ||
         any(kStarts, [&](const char* start) { return name.starts_with(start); }) ||
         any(kEnds, [&](const char* end) { return name.ends_with(end); }) ||
         name.find("alphas_cumprod") != std::string_view::npos;
}

constexpr std::string_view kUNetPrefix = "model.diffusion_model.";
constexpr std::string_view kVaePrefix = "first_stage_model.";
/// Second place, outside of the encoder, where tools store the second encoder's projection.
constexpr std::string_view kProjection2 = "conditioner.embedders.1.text_projection.weight";

/// How the names of a component's tensors may begin. The first that is there counts.
constexpr std::pair<Component, std::string_view> kPrefixes[] = {
    {Component::kUNet, kUNetPrefix},
    {Component::kVae, kVaePrefix},
    {Component::kTextEncoder, "conditioner.embedders.0.transformer."},
    {Component::kTextEncoder, "conditioner.embedders.0.model."},
    {Component::kTextEncoder, "cond_stage_model.transformer."},
    {Component::kTextEncoder, "cond_stage_model.model."},
    {Component::kTextEncoder2, "conditioner.embedders.1.model."},
    {Component::kTextEncoder2, "conditioner.embedders.1.transformer."}};

/// The number between `prefix` and `rest` (if given) in a name; -1 if the name has another form.
int number_after(std::string_view name, std::string_view prefix, std::string_view rest = {}) {
  int number = -1;
  if (!name.starts_with(prefix)) {
    return -1;
  }
  name.remove_prefix(prefix.size());
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  return error == std::errc() && name.starts_with(rest) ? number : -1;
}

/// Resnets of a down block. The first downsampler comes after them and the input convolution. A
/// UNet without a downsampler has a single block.
int layers_per_block(const TensorMap& tensors) {
  const std::string prefix = std::string(kUNetPrefix) + "input_blocks.";
  int first_downsampler = -1;
  int last = 0;
  for (const auto& [name, view] : tensors_below(tensors, prefix)) {
    last = std::max(last, number_after(name, prefix));
    const int downsampler = number_after(name, prefix, ".0.op.");
    if (downsampler > 0 && (first_downsampler < 0 || downsampler < first_downsampler)) {
      first_downsampler = downsampler;
    }
  }
  return std::max(1, first_downsampler > 0 ? first_downsampler - 1 : last);
}

int vae_level_count(const TensorMap& tensors) {
  const std::string prefix = std::string(kVaePrefix) + "decoder.up.";
  int count = 0;
  for (const auto& [name, view] : tensors_below(tensors, prefix)) {
    count = std::max(count, 1 + number_after(name, prefix));
  }
  return count;
}

/// True for tensors that a first text encoder does not need. SD2's OpenCLIP outputs the layer
/// before the last, unprojected. CLIP-L is part of a model with a projection, which tools write at
/// several places.
bool is_unused_in_encoder(std::string_view current) {
  return current.starts_with("text_model.encoder.layers.23.") ||
         current == "text_projection.weight" || current == "text_model.text_projection.weight";
}

bool is_unused_projection(std::string_view name) {
  return (name.starts_with("cond_stage_model.") || name.starts_with("conditioner.embedders.0.")) &&
         (name.ends_with("text_projection.weight") || name.ends_with("text_projection"));
}

/// Adds the parts q, k and v of attention's joint projection, each a third of the rows.
bool add_split_projection(RenamedTensors& out, const std::string& name, const TensorView& view,
                          const std::string& name_in_file) {
  const bool is_weight = name.ends_with(".in_proj_weight");
  if (!is_weight && !name.ends_with(".in_proj_bias")) {
    return false;
  }
  if (view.shape.empty() || view.shape.front() % 3 != 0) {
    return false;
  }
  const std::string scope = name.substr(0, name.rfind('.'));
  TensorView part = view;
  part.shape.front() /= 3;
  const std::size_t bytes = view.data.size() / 3;
  for (std::size_t i = 0; i < 3; ++i) {
    constexpr const char* kParts[] = {".q_proj.", ".k_proj.", ".v_proj."};
    part.data = view.data.subspan(i * bytes, bytes);
    out.add(scope + kParts[i] + (is_weight ? "weight" : "bias"), part, name_in_file);
  }
  return true;
}

void add_text(RenamedTensors& out, const std::string& stripped, const TensorView& view,
              const std::string& name_in_file) {
  const std::optional<std::string> name = text_name_from_open_clip(stripped);
  if (!name) {
    out.add(text_name(stripped), view, name_in_file);
  } else if (stripped == "text_projection" && view.shape.size() == 2) {
    TensorView transposed = view;
    std::swap(transposed.shape[0], transposed.shape[1]);
    transposed.transposed = true;
    out.add_spelling(*name, transposed, name_in_file);
  } else if (*name == "text_projection.weight") {
    out.add_spelling(*name, view, name_in_file);
  } else if (!add_split_projection(out, *name, view, name_in_file)) {
    out.add(*name, view, name_in_file);
  }
}

} // namespace

std::string_view single_file_prefix(const TensorMap& tensors, Component component) {
  for (const auto& [of, prefix] : kPrefixes) {
    if (of == component && has_prefix(tensors, prefix)) {
      return prefix;
    }
  }
  return {};
}

TensorMap single_file_names(Component component, const TensorMap& tensors,
                            const std::string& origin) {
  const std::string_view prefix = single_file_prefix(tensors, component);
  RenamedTensors out(origin);
  if (prefix.empty()) {
    return out.take();
  }
  const int layers = component == Component::kUNet ? layers_per_block(tensors) : 0;
  const int levels = component == Component::kVae ? vae_level_count(tensors) : 0;
  for (const auto& [name, view] : tensors_below(tensors, prefix)) {
    if (is_ignored(name)) {
      continue;
    }
    const std::string stripped = name.substr(prefix.size());
    if (component == Component::kUNet) {
      out.add(unet_name_from_compvis(stripped, layers).value_or(name), view, name);
    } else if (component == Component::kVae) {
      const std::string current = vae_name_from_compvis(stripped, levels).value_or(name);
      out.add(current, vae_view(current, view), name);
    } else if (component == Component::kTextEncoder2 ||
               !is_unused_in_encoder(
                   text_name_from_open_clip(stripped).value_or(text_name(stripped)))) {
      add_text(out, stripped, view, name);
    }
  }
  if (const auto outside = tensors.find(std::string(kProjection2));
      component == Component::kTextEncoder2 && outside != tensors.end()) {
    add_text(out, "text_projection.weight", outside->second, outside->first);
  }
  return out.take();
}

std::vector<std::string> tensors_of_no_component(const TensorMap& tensors) {
  std::vector<std::string_view> prefixes;
  for (const ComponentRow& row : pipeline_components()) {
    if (const auto prefix = single_file_prefix(tensors, row.component); !prefix.empty()) {
      prefixes.push_back(prefix);
    }
  }
  const bool has_encoder_2 = !single_file_prefix(tensors, Component::kTextEncoder2).empty();
  std::vector<std::string> names;
  for (const auto& [name, view] : tensors) {
    const bool is_in_component =
        (has_encoder_2 && name == kProjection2) ||
        std::any_of(prefixes.begin(), prefixes.end(),
                    [&name = name](std::string_view prefix) { return name.starts_with(prefix); });
    if (!is_in_component && !is_ignored(name) && !is_unused_projection(name)) {
      names.push_back(name);
    }
  }
  return names;
}

} // namespace sdbench

#include "renaming.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/in_quotes.h"

namespace sdbench {
namespace {

constexpr std::string_view kCompiled = "_orig_mod.";
constexpr std::string_view kParallel = "module.";

std::string without_compiled(std::string name) {
  for (std::size_t at = name.find(kCompiled); at != std::string::npos; at = name.find(kCompiled)) {
    name.erase(at, kCompiled.size());
  }
  return name;
}

} // namespace

void RenamedTensors::add(const std::string& name, TensorView view,
                         const std::string& name_in_file) {
  if (!tensors_.emplace(name, std::move(view)).second) {
    throw Error(origin_ + ": every tensor must be there once, but " + in_quotes(name) +
                " is there twice, once as " + in_quotes(name_in_file));
  }
}

void RenamedTensors::add_spelling(const std::string& name, TensorView view,
                                  const std::string& name_in_file) {
  const auto there = tensors_.find(name);
  if (there == tensors_.end() || there->second.shape != view.shape) {
    add(name, std::move(view), name_in_file);
  }
}

TensorView vae_view(std::string_view name, TensorView view) {
  const bool is_attention = name.find(".attentions.") != std::string_view::npos;
  const auto is_one = [](std::int64_t extent) { return extent == 1; };
  if (is_attention && view.shape.size() > 2 &&
      std::all_of(view.shape.begin() + 2, view.shape.end(), is_one)) {
    view.shape.resize(2);
  }
  return view;
}

std::string text_name(const std::string& name) {
  for (const char* start : {"embeddings.", "encoder.", "final_layer_norm."}) {
    if (name.starts_with(start)) {
      return "text_model." + name;
    }
  }
  return name;
}

std::string without_wrappers(std::string name) {
  name = without_compiled(std::move(name));
  while (name.starts_with(kParallel)) {
    name.erase(0, kParallel.size());
  }
  return name;
}

std::string take_off_wrappers(TensorMap& tensors, const std::string& origin) {
  const bool is_compiled = std::ranges::any_of(tensors, [](const auto& tensor) {
    return tensor.first.find(kCompiled) != std::string::npos;
  });
  const bool is_parallel = !tensors.empty() && std::ranges::all_of(tensors, [](const auto& tensor) {
    return without_compiled(tensor.first).starts_with(kParallel);
  });
  if (!is_compiled && !is_parallel) {
    return "";
  }
  RenamedTensors out(origin);
  for (const auto& [name, view] : tensors) {
    out.add(is_parallel ? without_wrappers(name) : without_compiled(name), view, name);
  }
  tensors = out.take();
  return !is_parallel   ? in_quotes(kCompiled)
         : !is_compiled ? in_quotes(kParallel)
                        : in_quotes(kParallel) + " and " + in_quotes(kCompiled);
}

} // namespace sdbench

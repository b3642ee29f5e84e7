#include "renaming.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/in_quotes.h"

namespace sdbench {

void RenamedTensors::add(const std::string& name, TensorView view,
                         const std::string& name_in_file) {
  if (!tensors_.emplace(name, std::move(view)).second) {
    throw Error(origin_ + ": every tensor must be there once, but " + in_quotes(name_in_file) +
                " is " + in_quotes(name) + " again under another name");
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

} // namespace sdbench

#include "wrapper_names.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "renaming.h"
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

// Shows test_checkpoint.py what a component looks like to sdbench:
//   checkpoint_probe ROOT COMPONENT [COPY]
// prints "name<TAB>shape<TAB>transposed" for each tensor, the shape as JSON, and writes the tensors
// to COPY, as they are stored, if it is given. Notes go to stderr.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/base/weights/tensor_view.h"

namespace {

using namespace sdbench;

Component component_from(const std::string& name) {
  for (const ComponentRow& row : pipeline_components()) {
    if (name == row.folder) {
      return row.component;
    }
  }
  throw std::runtime_error("no component " + name);
}

void print(const ComponentWeights& weights) {
  for (const auto& [name, view] : weights.tensors) {
    std::printf("%s\t%s\t%d\n", name.c_str(), Json(view.shape).dump().c_str(), view.transposed);
  }
}

void copy(const ComponentWeights& weights, const std::string& path) {
  std::vector<TensorDeclaration> declarations;
  std::vector<const TensorView*> views;
  for (const auto& [name, view] : weights.tensors) {
    std::vector<std::int64_t> stored = view.shape;
    if (view.transposed) {
      std::swap(stored.at(0), stored.at(1));
    }
    declarations.push_back({name, view.dtype, stored});
    views.push_back(&view);
  }
  write_safetensors(path, declarations, [&](std::size_t index, std::span<std::byte> bytes) {
    std::copy(views[index]->data.begin(), views[index]->data.end(), bytes.begin());
  });
}

} // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const ComponentWeights weights =
        open_component(arguments.at(0), component_from(arguments.at(1)));
    print(weights);
    for (const std::string& note : weights.notes) {
      std::fprintf(stderr, "%s\n", note.c_str());
    }
    if (arguments.size() > 2) {
      copy(weights, arguments[2]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "checkpoint_probe: %s\n", error.what());
    return 1;
  }
  return 0;
}

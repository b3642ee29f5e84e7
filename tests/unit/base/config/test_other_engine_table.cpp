#include "sdbench/base/config/other_engine_table.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <type_traits>
#include <variant>

#include "catch.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task_table.h"

// SDBENCH_UPDATE=1 in the environment rewrites engines/generated_table.json.

using namespace sdbench;
using nlohmann::ordered_json;

namespace {

/// Without version and mark: "onnx==1.23.2" -> "onnx". "-cuX" stands for both versions of CUDA.
std::vector<std::string> names_of(const std::vector<std::string>& packages) {
  std::vector<std::string> names;
  for (const std::string& package : packages) {
    const std::string name = package.substr(0, package.find("=="));
    const std::size_t any_cuda = name.find("-cuX");
    add_new(names, any_cuda == std::string::npos ? std::vector{name}
                                                 : std::vector{name.substr(0, any_cuda) + "-cu13",
                                                               name.substr(0, any_cuda) + "-cu12"});
  }
  return names;
}

/// Names of the row's own packages, without those of the pipeline, which each engine has.
std::vector<std::string> own_packages(const EngineRow& row) {
  std::vector<std::string> names = names_of(row.packages);
  add_new(names, names_of(row.gpu_packages));
  std::erase_if(names, [](const std::string& name) {
    return std::ranges::all_of(other_engine_table(), [&](const EngineRow& other) {
      return std::ranges::count(names_of(other.packages), name) > 0;
    });
  });
  return names;
}

ordered_json dtypes_json(const EngineRow& row) {
  ordered_json dtypes = ordered_json::object();
  for (const DeviceKindRow& kind : device_kinds()) {
    if (const std::vector<std::string>& names = dtypes_on(row, kind.kind); !names.empty()) {
      dtypes[std::string(kind.word)] = names;
    }
  }
  return dtypes;
}

/// Of each axis except the engine itself: what a cell may ask for.
ordered_json choices_json(const EngineRow& row) {
  ordered_json choices;
  for (const EngineAxis& axis : engine_axes()) {
    if (axis.asked == &EngineAxes::engine) {
      continue;
    }
    const EngineTableAxis* const has = find_axis(row, axis.name);
    choices[axis.name] = has == nullptr         ? std::vector{axis.choices.front()}
                         : has->choices.empty() ? axis.choices
                                                : has->choices;
  }
  return choices;
}

/// What a cell asks for that does not say it: its work and the engine's axes, by their names in
/// requests.
ordered_json usual_cell() {
  ordered_json cell;
  const CellWork work;
  for (const WorkField& field : kWorkFields) {
    std::visit(
        [&](const auto member) {
          using Value = std::remove_cvref_t<decltype(work.*member)>;
          if constexpr (std::is_enum_v<Value>) {
            cell[message_name(field)] = name_of(work.*member);
          } else {
            cell[message_name(field)] = work.*member;
          }
        },
        field.member);
  }
  for (const EngineAxis& axis : engine_axes()) {
    cell[axis.name] = EngineAxes().*axis.asked;
  }
  return cell;
}

ordered_json parts_json() {
  ordered_json parts;
  for (const TaskRow& row : task_table()) {
    parts[row.name] = row.parts;
  }
  return parts;
}

/// engines/generated_table.json: a line for each fact.
std::string table_for_workers() {
  std::string text = "{\n\"cell\": " + usual_cell().dump() +
                     ",\n\"parts\": " + parts_json().dump() + ",\n\"engines\": {\n";
  for (const EngineRow& row : other_engine_table()) {
    text += (&row == &other_engine_table().front() ? "" : "},\n") + ordered_json(row.name).dump() +
            ": {\n \"program\": " + ordered_json(row.program).dump() +
            ",\n \"networks\": " + ordered_json(row.networks).dump() +
            ",\n \"packages\": " + ordered_json(own_packages(row)).dump() +
            ",\n \"dtypes\": " + dtypes_json(row).dump() +
            ",\n \"choices\": " + choices_json(row).dump() + "\n";
  }
  return text + "}\n}\n}\n";
}

} // namespace

TEST_CASE("engines/generated_table.json tells workers what the table says") {
  const std::filesystem::path file =
      std::filesystem::path(SDBENCH_SOURCE_DIR) / "engines" / "generated_table.json";
  if (std::getenv("SDBENCH_UPDATE") != nullptr) {
    std::ofstream(file) << table_for_workers();
  }
  CHECK(read_text_file(file) == table_for_workers());
}

TEST_CASE("each engine of others has a name, a device, packages of one version each") {
  std::set<std::string_view> names;
  for (const EngineRow& row : other_engine_table()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(is_own_engine(row.name));
    CHECK_FALSE(row.words.empty());
    CHECK_FALSE(row.environment.empty());
    CHECK_FALSE(row.program.empty());
    CHECK_FALSE(row.dtypes.empty());
    CHECK(dtypes_on(row, DeviceKind::kCuda).empty() == (row.oldest_compute_capability == 0));
    CHECK(std::ranges::any_of(row.packages, [](const std::string& package) {
      return package.starts_with("diffusers==");
    }));
    CHECK(row.gpu_environment.empty() == row.gpu_packages.empty());
    for (const auto& packages : {row.packages, row.gpu_packages}) {
      CHECK(std::ranges::all_of(packages, [](const std::string& package) {
        return package.find("==") != std::string::npos;
      }));
    }
  }
}

TEST_CASE("what an engine of others knows is what our options know") {
  const auto axes = engine_axes();
  const auto& engines = axes.front().choices;
  for (const EngineRow& row : other_engine_table()) {
    CAPTURE(row.name);
    CHECK(std::ranges::find(engines, row.name) != engines.end());
    for (const auto& [kind, dtypes] : row.dtypes) {
      CHECK_FALSE(dtypes.empty());
      CHECK(std::ranges::all_of(
          dtypes, [](const std::string& name) { return precision_from_name(name).has_value(); }));
    }
    for (const EngineTableAxis& has : row.axes) {
      CAPTURE(has.name);
      const auto axis = std::ranges::find(axes, has.name, &EngineAxis::name);
      REQUIRE(axis != axes.end());
      CHECK(std::ranges::all_of(has.choices, [&](const std::string& choice) {
        return std::ranges::find(axis->choices, choice) != axis->choices.end();
      }));
      CHECK((has.choices.empty() || has.choices.front() == axis->choices.front()));
    }
  }
}

TEST_CASE("the table says on which devices an engine runs") {
  const EngineRow& compiled = *find_engine_row("pytorch-compile");
  CHECK(runs_on(compiled, DeviceKind::kCpu, ""));
  CHECK(runs_on(compiled, DeviceKind::kCuda, "7.0"));
  CHECK(runs_on(compiled, DeviceKind::kCuda, "12.0"));
  CHECK(runs_on(compiled, DeviceKind::kCuda, "")); // its worker will say
  CHECK_FALSE(runs_on(compiled, DeviceKind::kCuda, "6.1"));
  CHECK_FALSE(runs_on(*find_engine_row("openvino"), DeviceKind::kCuda, "9.0"));
  CHECK(runs_on(*find_engine_row("openvino"), DeviceKind::kIntel, ""));
  CHECK_FALSE(runs_on(compiled, DeviceKind::kIntel, ""));
}

TEST_CASE("engines that share an environment need the same packages") {
  for (const EngineRow& one : other_engine_table()) {
    for (const EngineRow& other : other_engine_table()) {
      if (one.environment == other.environment) {
        CHECK(one.packages == other.packages);
        CHECK(one.gpu_environment == other.gpu_environment);
      }
    }
  }
}

TEST_CASE("our own engines, and a name that nobody has, are no rows") {
  CHECK(find_engine_row("tuned") == nullptr);
  CHECK(find_engine_row("") == nullptr);
  REQUIRE(find_engine_row("pytorch") != nullptr);
  CHECK(find_axis(*find_engine_row("pytorch"), "attention") != nullptr);
  CHECK(find_axis(*find_engine_row("pytorch"), "graphs") == nullptr);
}

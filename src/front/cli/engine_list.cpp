#include "engine_list.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "choose_worker.h"
#include "sdbench/base/config/engine_table.h"
#include "sdbench/base/core/engine.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/front/engines/engine_environment.h"
#include "sdbench/front/words/text_form.h"

namespace sdbench {
namespace {

struct ListedEngine {
  std::string name;
  std::string words;
  std::vector<std::string> cpu_dtypes;
  std::vector<std::string> gpu_dtypes;
  std::vector<std::string> packages;
  std::string folder;
  bool is_set_up = true;
  std::string needs; ///< what to do before it can run; empty: nothing
};

std::vector<ListedEngine> listed_engines() {
  const std::vector<std::string> all = {"fp32", "fp16", "bf16", "autocast-fp16", "autocast-bf16"};
  std::vector<ListedEngine> engines = {{std::string(kTunedEngine),
                                        "sdbench's own, as fast as the device allows",
                                        all,
                                        all,
                                        {},
                                        {},
                                        true,
                                        {}},
                                       {std::string(kPlainEngine),
                                        "libtorch's operators as they are, the yardstick",
                                        all,
                                        all,
                                        {},
                                        {},
                                        true,
                                        {}}};
  const std::string libtorch = chosen_worker().libtorch_version;
  for (const EngineRow& row : engine_table()) {
    const EngineEnvironment environment = environment_of(row, libtorch);
    const bool is_set_up = is_complete(environment);
    engines.push_back(
        {std::string(row.name), std::string(row.words), row.cpu_dtypes, row.gpu_dtypes,
         environment.packages, environment.folder, is_set_up,
         is_set_up ? "" : setup_command_of(row) + " (" + number_text(row.disk_gb) + " GB)"});
  }
  return engines;
}

std::string or_dash(const std::vector<std::string>& words) {
  return words.empty() ? "-" : listed(words, "");
}

std::string json_of(const std::vector<ListedEngine>& engines) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedEngine& engine : engines) {
    list.push_back({{"name", engine.name},
                    {"description", engine.words},
                    {"cpu_dtypes", engine.cpu_dtypes},
                    {"gpu_dtypes", engine.gpu_dtypes},
                    {"packages", engine.packages},
                    {"folder", engine.folder},
                    {"set_up", engine.is_set_up}});
  }
  return list.dump(2) + "\n";
}

} // namespace

std::string engine_list_text(bool json, const Screen& screen) {
  const std::vector<ListedEngine> engines = listed_engines();
  if (json) {
    return json_of(engines);
  }
  std::vector<std::vector<std::string>> rows = {
      {"ENGINE", "WHAT IT IS", "ON A CPU", "ON A GPU", "STATE"}};
  for (const ListedEngine& engine : engines) {
    rows.push_back({engine.name, engine.words, or_dash(engine.cpu_dtypes),
                    or_dash(engine.gpu_dtypes), engine.needs.empty() ? "ready" : engine.needs});
  }
  return aligned_text(rows, screen);
}

} // namespace sdbench

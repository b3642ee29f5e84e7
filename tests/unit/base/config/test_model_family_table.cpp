#include "sdbench/base/config/model_family_table.h"

#include <set>
#include <string>

#include "catch.h"
#include "sdbench/base/config/model_config.h"

using namespace sdbench;

TEST_CASE("a family is found by its pipeline, and no two have one class") {
  std::set<std::string_view> names;
  for (const ModelFamily& family : model_families()) {
    INFO(family.class_name);
    CHECK(&family_of(family.pipeline) == &family);
    CHECK(names.insert(family.class_name).second);
  }
}

TEST_CASE("each shipped pipeline has the parts of its family") {
  for (const std::string& name : shipped_model_names()) {
    INFO(name);
    const ModelConfig model = find_model_config(name);
    if (model.network) {
      continue; // is of none
    }
    const ModelFamily& family = family_of(model.pipeline);
    CHECK(model.source.at("pipeline").at("_class_name") == family.class_name);
    for (const ModelPart& part : family.parts) {
      const char* folder = folder_name(part.component);
      CHECK(model.source.at("pipeline").at(folder).at(1) == part.class_name);
      CHECK(model.source.contains(folder));
    }
    CHECK(model.text_encoders.size() == family.parts.size() - 2);
    CHECK(unet_of(model).addition_time_embed_dim.has_value() == family.takes_text_time);
  }
}

TEST_CASE("a family's smallest model is shipped and of the family") {
  for (const ModelFamily& family : model_families()) {
    CHECK(find_model_config(std::string(family.smallest_model)).pipeline == family.pipeline);
  }
}

#include "sdbench/front/compare/compare_formats.h"

#include "sdbench/front/words/view_forms.h"

namespace sdbench {

const std::vector<CompareFormat>& compare_formats() {
  static const auto formats = [] {
    std::vector<CompareFormat> all = {{"table", ".txt"}, {"csv", ".csv"}, {"json", ".json"}};
    for (const ViewForm& form : view_forms()) {
      all.push_back({form.name, form.extension});
    }
    return all;
  }();
  return formats;
}

} // namespace sdbench

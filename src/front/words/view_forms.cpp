#include "sdbench/front/words/view_forms.h"

#include <algorithm>
#include <iterator>

#include "sdbench/front/words/markup_forms.h"

namespace sdbench {
namespace {

constexpr ViewForm kForms[] = {
    {"md", ".md", to_markdown, true, Comment{"<!-- ", " -->"}},
    {"org", ".org", to_org, false, Comment{"# ", ""}},
    {"html", ".html", to_html, true, std::nullopt},
};

} // namespace

std::span<const ViewForm> view_forms() {
  return kForms;
}

const ViewForm* find_view_form(std::string_view name) {
  const auto* const found = std::ranges::find(kForms, name, &ViewForm::name);
  return found == std::end(kForms) ? nullptr : found;
}

} // namespace sdbench

#include "sdbench/base/config/sampler_table.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"

namespace sdbench {

const SamplerRow& sampler_named(std::string_view name) {
  const auto* const found = std::ranges::find(kSamplers, name, &SamplerRow::name);
  if (found == std::end(kSamplers)) {
    std::string names;
    for (const SamplerRow& row : kSamplers) {
      names.append(names.empty() ? "" : " or ").append(row.name);
    }
    throw Error("the sampler must be " + names + ", but is " + in_quotes(name) +
                "; take a front and a worker of one version");
  }
  return *found;
}

} // namespace sdbench

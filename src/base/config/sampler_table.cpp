#include "sdbench/base/config/sampler_table.h"

#include <algorithm>
#include <iterator>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {

std::vector<std::string> sampler_names() {
  std::vector<std::string> names;
  for (const SamplerRow& row : kSamplers) {
    names.emplace_back(row.name);
  }
  return names;
}

const SamplerRow& sampler_named(std::string_view name) {
  const auto* const found = std::ranges::find(kSamplers, name, &SamplerRow::name);
  if (found == std::end(kSamplers)) {
    throw Error("the sampler must be " + listed(sampler_names()) + ", but is " + in_quotes(name) +
                "; take a front and a worker of one version");
  }
  return *found;
}

} // namespace sdbench

#include "sdbench/front/record/cell_value.h"

#include <cmath>

#include "sdbench/base/numbers/number_text.h"

namespace sdbench {

std::string CellValue::as_text() const {
  switch (kind) {
  case Kind::kText:
    return std::string(text);
  case Kind::kInteger:
    return std::to_string(static_cast<std::int64_t>(number));
  case Kind::kNumber:
    return std::isinf(number) ? "infinite" : number_text(number);
  case Kind::kNeither:
    break;
  }
  return {};
}

} // namespace sdbench

#pragma once

#include <string>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/status.h"

namespace sdbench {

/// Ends a cell with a status of its own: too little memory, an interruption, a wrong image.
class CellFailure : public Error {
public:
  CellFailure(Status status, const std::string& message) : Error(message), status_(status) {}
  [[nodiscard]] Status status() const { return status_; }

private:
  Status status_;
};

} // namespace sdbench

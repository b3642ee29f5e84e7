#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace sdbench::test {

/// Sets an environment variable (or unsets it: nullptr) until the end of the scope.
class EnvironmentVariable {
public:
  EnvironmentVariable(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) {
      before_ = before;
    }
    set(value);
  }
  ~EnvironmentVariable() { set(before_ ? before_->c_str() : nullptr); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

private:
  void set(const char* value) {
    if (value == nullptr) {
      ::unsetenv(name_.c_str());
    } else {
      ::setenv(name_.c_str(), value, 1);
    }
  }

  std::string name_;
  std::optional<std::string> before_;
};

} // namespace sdbench::test

#include "sdbench/engine/pipeline/capture_by.h"

#include <stdexcept>

#include "catch.h"

using namespace sdbench;

namespace {

// The states of libtorch's graph after a capture that was invalidated, as each version has them.
class Graph27 {
protected:
  bool has_graph_ = false;
  bool has_graph_exec_ = false;
};
class Graph211 : public Graph27 {
protected:
  bool capture_ended_ = false;
};
class Graph215 : public Graph211 {
protected:
  bool allocated_pool_ = true;
  bool capturing_to_pool_ = true;
};
class Ended27 : public Graph27 {
public:
  Ended27() { has_graph_exec_ = true; }
};
class Ended211 : public Graph211 {
public:
  Ended211() { capture_ended_ = true; }
  [[nodiscard]] int raw_cuda_graph_exec() const { return graph_exec_; }

protected:
  int graph_exec_ = 211;
};

} // namespace

// A pool that is released twice is an assertion that fails in a destructor: the worker's end.
TEST_CASE("the pools of a capture that failed are given back once, by libtorch or by us") {
  CHECK_FALSE(CaptureBy<Graph27>().gives_pools_back());
  CHECK_FALSE(CaptureBy<Graph211>().gives_pools_back());
  CHECK(CaptureBy<Graph215>().gives_pools_back());
}

TEST_CASE("those of a capture that ended are given back by libtorch") {
  CHECK(CaptureBy<Ended27>().gives_pools_back());
  CHECK(CaptureBy<Ended211>().gives_pools_back());
}

TEST_CASE("the executable graph is passed on where libtorch gives it to others") {
  int passed = 0;
  const auto use = [&](int graph) { passed = graph; };
  CHECK_FALSE(CaptureBy<Ended27>().with_executable(use));
  CHECK(passed == 0);
  CHECK(CaptureBy<Ended211>().with_executable(use));
  CHECK(passed == 211);
}

TEST_CASE("what fails with the executable graph is told to whoever passed it on") {
  const auto fails = [](int) { throw std::runtime_error("out of memory"); };
  CHECK_THROWS_WITH(CaptureBy<Ended211>().with_executable(fails), "out of memory");
  CHECK_NOTHROW(CaptureBy<Ended27>().with_executable(fails)); // not called
}

#include "catch.h"

#include <filesystem>

#include "cifar_files.h"
#include "environment.h"
#include "scratch_folder.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::EnvironmentVariable;
using Kind = DataLocation::Kind;

TEST_CASE("synthetic data is asked for with or without a count") {
  CHECK(locate_data("synthetic").kind == Kind::kSynthetic);
  CHECK(locate_data("synthetic").count == 50000);
  CHECK_FALSE(locate_data("synthetic").fallback);
  CHECK(locate_data("synthetic:2048").count == 2048);
  CHECK(locate_data("synthetic:2048").description == "synthetic:2048");
}

TEST_CASE("a count of synthetic data that is no number in range is the command's fault") {
  for (const char* asked : {"synthetic:", "synthetic:x", "synthetic:9", "synthetic:1000001",
                            "synthetic:-20", "synthetic:20.5", "synthetic: 20"}) {
    CAPTURE(asked);
    CHECK_THROWS_AS(locate_data(asked), UsageError);
    CHECK_THROWS_WITH(
        locate_data(asked),
        ContainsSubstring("the count of --data synthetic:N must be a whole number from 10 to "
                          "1000000, but is \""));
  }
}

TEST_CASE("nothing asked and nothing set: synthetic data, marked as a fallback") {
  for (const char* unset : {static_cast<const char*>(nullptr), ""}) {
    const EnvironmentVariable variable("SDBENCH_DATA", unset);
    const DataLocation found = locate_data("");
    CHECK(found.kind == Kind::kSynthetic);
    CHECK(found.count == 50000);
    CHECK(found.fallback);
  }
}

TEST_CASE("data is a folder of CIFAR-10, from --data before SDBENCH_DATA") {
  const test::ScratchFolder folder;
  test::write_binary_batches(folder, "a/cifar-10-batches-bin");
  test::write_old_pickles(folder, "b/cifar-10-batches-py");
  const EnvironmentVariable variable("SDBENCH_DATA", (folder.path() / "a").c_str());
  const DataLocation from_environment = locate_data("");
  CHECK(from_environment.kind == Kind::kCifar10);
  CHECK(from_environment.path == folder.path() / "a/cifar-10-batches-bin");
  CHECK_FALSE(from_environment.fallback);
  const DataLocation asked = locate_data((folder.path() / "b").string());
  CHECK(asked.path == folder.path() / "b/cifar-10-batches-py");
  CHECK(asked.description == asked.path.string());
  CHECK(locate_data("synthetic").kind == Kind::kSynthetic);
  CHECK(identity_of(load_dataset(from_environment)) == identity_of(load_dataset(asked)));
}

TEST_CASE("SDBENCH_DATA is expanded, and may ask for synthetic data") {
  const test::ScratchFolder folder;
  test::write_binary_batches(folder, "cifar");
  const EnvironmentVariable home("HOME", folder.path().c_str());
  const EnvironmentVariable data("SDBENCH_DATA", "~/cifar");
  CHECK(locate_data("").path == folder.path() / "cifar");
  const EnvironmentVariable other("SDBENCH_DATA", "synthetic:30");
  CHECK(locate_data("").count == 30);
  CHECK_FALSE(locate_data("").fallback);
}

TEST_CASE("SDBENCH_DATA that leads nowhere is an error that names it, not a fallback") {
  const EnvironmentVariable variable("SDBENCH_DATA", "/nowhere");
  CHECK_THROWS_WITH(locate_data(""),
                    ContainsSubstring("SDBENCH_DATA must be a folder of CIFAR-10") &&
                        ContainsSubstring("\"/nowhere\" is not there"));
  CHECK_THROWS_WITH(locate_data("nowhere"), ContainsSubstring("--data must be a folder"));
}

TEST_CASE("synthetic data is made as many as were asked for") {
  const Dataset dataset = load_dataset(locate_data("synthetic:20"));
  CHECK(dataset.name == "synthetic:20");
  CHECK(dataset.train.count == 20);
}

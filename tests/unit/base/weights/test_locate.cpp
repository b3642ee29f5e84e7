#include "catch.h"

#include "environment.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/weights/locate.h"
#include "tiny_checkpoint.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::EnvironmentVariable;
using Kind = WeightsLocation::Kind;

namespace {

namespace fs = std::filesystem;

/// An empty cache and no shelf, whatever the machine has.
struct EmptyWorld {
  test::ScratchFolder folder;
  EnvironmentVariable cache{"HF_HUB_CACHE", (folder.path() / "cache").c_str()};
  EnvironmentVariable shelf{"SDBENCH_WEIGHTS", nullptr};

  [[nodiscard]] fs::path write_model(const std::string& where) const {
    folder.write(where + "/model_index.json", R"({"unet":["diffusers","UNet2DConditionModel"]})");
    test::write_tensor(folder.path() / where / "unet/diffusion_pytorch_model.safetensors", "a");
    return folder.path() / where;
  }
};

const std::vector<std::string> kRepositories{"first/one", "second/two"};

WeightsLocation locate(const std::string& asked) {
  return locate_weights(asked, kRepositories, "sd15");
}

} // namespace

TEST_CASE("synthetic weights are asked for with or without a seed") {
  CHECK(locate("synthetic").kind == Kind::kSynthetic);
  CHECK(locate("synthetic").seed == 0);
  CHECK_FALSE(locate("synthetic").fallback);
  CHECK(locate("synthetic:18446744073709551615").seed == 18446744073709551615ULL);
  CHECK(locate("synthetic:7").description == "synthetic:7");
}

TEST_CASE("a seed that is no whole number is the command's fault") {
  for (const char* asked : {"synthetic:", "synthetic:x", "synthetic:-1", "synthetic:1.5",
                            "synthetic:18446744073709551616", "synthetic: 1"}) {
    CAPTURE(asked);
    CHECK_THROWS_AS(locate(asked), UsageError);
  }
}

TEST_CASE("a path is a diffusers folder or a safetensors file") {
  const EmptyWorld world;
  const fs::path folder = world.write_model("model");
  const fs::path file = test::write_tensor(world.folder.path() / "a.safetensors", "a");
  CHECK(locate(folder).kind == Kind::kFolder);
  CHECK(locate(folder).path == folder);
  CHECK(locate(file).kind == Kind::kSingleFile);
  CHECK(locate(file).description == file.string());
  CHECK_THROWS_WITH(locate(world.folder.path()),
                    ContainsSubstring("is a folder of single files; name one"));
  std::filesystem::create_directory(world.folder.path() / "empty");
  CHECK_THROWS_WITH(locate(world.folder.path() / "empty"), ContainsSubstring("is another folder"));
  CHECK_THROWS_WITH(locate(world.folder.write("a.gguf", "")), ContainsSubstring("is another file"));
  CHECK_THROWS_WITH(locate("/nowhere/a.safetensors"), ContainsSubstring("is not there"));
  CHECK_THROWS_WITH(locate("nowhere/a.safetensors"), ContainsSubstring("is not there"));
}

TEST_CASE("a folder whose only weights are model.safetensors is that file") {
  const EmptyWorld world;
  const fs::path folder = world.folder.path() / "network";
  const fs::path file = test::write_tensor(folder / "model.safetensors", "a");
  CHECK(locate(folder).kind == Kind::kSingleFile);
  CHECK(locate(folder).path == file);
  test::write_tensor(folder / "other.safetensors", "a");
  CHECK_THROWS_WITH(locate(folder), ContainsSubstring("is a folder of single files; name one"));
}

TEST_CASE("a pickle is refused whether it is there or not") {
  const EmptyWorld world;
  CHECK_THROWS_WITH(locate("v1-5.ckpt"), ContainsSubstring("is a pickle"));
  CHECK_THROWS_WITH(locate(world.folder.write("a.bin", "")), ContainsSubstring("is a pickle"));
}

TEST_CASE("a repository id is looked up in the cache") {
  const EmptyWorld world;
  CHECK_THROWS_WITH(locate("owner/name"), ContainsSubstring("hf download owner/name"));
  const fs::path snapshot = world.write_model("cache/models--owner--name/snapshots/aaaa");
  const WeightsLocation found = locate("owner/name");
  CHECK(found.kind == Kind::kFolder);
  CHECK(found.path == snapshot);
  CHECK(found.description == "owner/name (Hugging Face cache)");
}

TEST_CASE("nothing asked: the model's repositories in the cache, in their order") {
  const EmptyWorld world;
  const fs::path second = world.write_model("cache/models--second--two/snapshots/aaaa");
  CHECK(locate("").path == second);
  const fs::path first = world.write_model("cache/models--first--one/snapshots/aaaa");
  CHECK(locate("").path == first);
}

TEST_CASE("nothing asked, nothing found: synthetic weights, marked as a fallback") {
  const EmptyWorld world;
  const WeightsLocation found = locate("");
  CHECK(found.kind == Kind::kSynthetic);
  CHECK(found.fallback);
  CHECK(found.seed == 0);
}

TEST_CASE("SDBENCH_WEIGHTS may be a checkpoint, and goes before the cache") {
  const EmptyWorld world;
  static_cast<void>(world.write_model("cache/models--first--one/snapshots/aaaa"));
  const fs::path model = world.write_model("model");
  const EnvironmentVariable shelf("SDBENCH_WEIGHTS", model.c_str());
  CHECK(locate("").path == model);
  CHECK(locate("synthetic").kind == Kind::kSynthetic);
}

TEST_CASE("SDBENCH_WEIGHTS may be a shelf of checkpoints named like model or repository") {
  for (const char* name : {"sd15", "first/one", "two"}) {
    const EmptyWorld world;
    const fs::path model = world.write_model(std::string("shelf/") + name);
    const EnvironmentVariable shelf("SDBENCH_WEIGHTS", (world.folder.path() / "shelf").c_str());
    CHECK(locate("").path == model);
  }
  const EmptyWorld world;
  const fs::path file = test::write_tensor(world.folder.path() / "shelf/sd15.safetensors", "a");
  const EnvironmentVariable shelf("SDBENCH_WEIGHTS", (world.folder.path() / "shelf").c_str());
  CHECK(locate("").path == file);
  CHECK(locate_weights("", {}, "sdxl").fallback);
  const fs::path exported =
      test::write_tensor(world.folder.path() / "shelf/cnn10/model.safetensors", "a");
  CHECK(locate_weights("", {}, "cnn10").path == exported);
}

TEST_CASE("SDBENCH_WEIGHTS that leads nowhere is an error, not a fallback") {
  const EmptyWorld world;
  const EnvironmentVariable shelf("SDBENCH_WEIGHTS", "/nowhere");
  CHECK_THROWS_WITH(locate(""), ContainsSubstring("SDBENCH_WEIGHTS") &&
                                    ContainsSubstring("\"/nowhere\" is not there"));
}

TEST_CASE("SDBENCH_WEIGHTS that holds no checkpoint at all is an error, not passed over") {
  const EmptyWorld world;
  world.folder.write("other/notes.txt", "");
  world.folder.write("other/deep/old.ckpt", "");
  for (const fs::path& path : {world.folder.path() / "other", world.folder.write("a.ckpt", ""),
                               world.folder.write("a.txt", "")}) {
    const EnvironmentVariable shelf("SDBENCH_WEIGHTS", path.c_str());
    CHECK_THROWS_WITH(locate(""), ContainsSubstring("SDBENCH_WEIGHTS must be a checkpoint") &&
                                      ContainsSubstring("is neither"));
    CHECK_FALSE(environment_names_checkpoint());
  }
}

TEST_CASE("a download that was cut off is said to be unfinished") {
  const EmptyWorld world;
  world.folder.write("cache/models--owner--name/snapshots/aaaa/model_index.json",
                     R"({"unet":["diffusers","UNet2DConditionModel"]})");
  CHECK_THROWS_WITH(locate("owner/name"),
                    ContainsSubstring("is unfinished") && ContainsSubstring("hf download"));
}

TEST_CASE("a usual repository that is broken in the cache names the way out") {
  const EmptyWorld world;
  world.folder.write("cache/models--first--one/snapshots/aaaa/model_index.json", "{");
  CHECK_THROWS_WITH(locate(""),
                    ContainsSubstring("first/one") && ContainsSubstring("--weights synthetic"));
}

TEST_CASE("of another program's folder the one file that fits the model is taken, and said") {
  for (const char* place :
       {"models/checkpoints/SD 1", "models/Stable-diffusion", "checkpoints", ""}) {
    const EmptyWorld world;
    const fs::path shelf = world.folder.path() / "shelf";
    const fs::path mine = test::write_tensor(shelf / place / "mine.safetensors", "a");
    test::write_tensor(shelf / place / "lora.safetensors", "a");
    const EnvironmentVariable variable("SDBENCH_WEIGHTS", shelf.c_str());
    const auto fits = [](const fs::path& file) { return file.stem() != "lora"; };
    const WeightsLocation found = locate_weights("", {}, "sd15", fits);
    CHECK(found.kind == Kind::kSingleFile);
    CHECK(found.path == mine);
    CHECK(found.description == mine.string());
    test::write_tensor(shelf / place / "other.safetensors", "a");
    CHECK_THROWS_WITH(locate_weights("", {}, "sd15", fits),
                      ContainsSubstring("must hold one checkpoint of sd15") &&
                          ContainsSubstring("mine.safetensors") &&
                          ContainsSubstring("other.safetensors"));
    CHECK(locate_weights("", {}, "sd15", [](const fs::path&) { return false; }).fallback);
  }
}

TEST_CASE("a cached repository of one single file is that file") {
  const EmptyWorld world;
  const fs::path file = test::write_tensor(
      world.folder.path() / "cache/models--first--one/snapshots/aaaa/a.safetensors", "a");
  CHECK(locate("first/one").path == file);
  CHECK(locate("first/one").kind == Kind::kSingleFile);
  CHECK(locate("first/one").description == "first/one (Hugging Face cache)");
  CHECK(locate("").fallback); // nobody says that it fits
  const auto fits = [](const fs::path&) { return true; };
  CHECK(locate_weights("", kRepositories, "sd15", fits).path == file);
}

TEST_CASE("a safetensors file is known by its content, whatever its name") {
  const EmptyWorld world;
  const fs::path file = test::write_tensor(world.folder.path() / "a.ckpt", "a");
  CHECK(locate(file).kind == Kind::kSingleFile);
  CHECK(environment_names_checkpoint() == false);
  CHECK_THROWS_WITH(locate(world.folder.write("b.ckpt", "PK and more than nine bytes")),
                    ContainsSubstring("is a pickle"));
}

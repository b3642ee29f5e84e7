#include "catch.h"

#include <chrono>

#include "environment.h"
#include "scratch_folder.h"
#include "sdbench/base/weights/hub_cache.h"
#include "tiny_checkpoint.h"

using namespace sdbench;
using test::EnvironmentVariable;

namespace {

namespace fs = std::filesystem;

constexpr const char* kIndex =
    R"({"unet":["diffusers","UNet2DConditionModel"],"safety_checker":[null,null]})";

/// A snapshot of models--owner--name with the weights of a UNet; returns its folder.
fs::path write_snapshot(const test::ScratchFolder& cache, const std::string& commit) {
  const std::string snapshot = "models--owner--name/snapshots/" + commit;
  cache.write(snapshot + "/model_index.json", kIndex);
  test::write_tensor(cache.path() / snapshot / "unet/diffusion_pytorch_model.safetensors", "a");
  return cache.path() / snapshot;
}

} // namespace

TEST_CASE("the cache is where huggingface_hub puts it") {
  const EnvironmentVariable home("HOME", "/home/user");
  const EnvironmentVariable xdg("XDG_CACHE_HOME", nullptr);
  const EnvironmentVariable hf_home("HF_HOME", nullptr);
  const EnvironmentVariable hf_hub("HF_HUB_CACHE", nullptr);
  const EnvironmentVariable old_name("HUGGINGFACE_HUB_CACHE", nullptr);
  CHECK(hub_cache_folder() == "/home/user/.cache/huggingface/hub");
  const EnvironmentVariable xdg_set("XDG_CACHE_HOME", "/xdg");
  CHECK(hub_cache_folder() == "/xdg/huggingface/hub");
  const EnvironmentVariable hf_home_set("HF_HOME", "/hf");
  CHECK(hub_cache_folder() == "/hf/hub");
  const EnvironmentVariable hf_home_at_home("HF_HOME", "~/x");
  CHECK(hub_cache_folder() == "/home/user/x/hub");
  const EnvironmentVariable hf_old_set("HUGGINGFACE_HUB_CACHE", "/old");
  CHECK(hub_cache_folder() == "/old");
  const EnvironmentVariable hf_hub_set("HF_HUB_CACHE", "/cache");
  CHECK(hub_cache_folder() == "/cache");
}

TEST_CASE("only owner/name is a repository id") {
  CHECK(is_repository_id("stabilityai/stable-diffusion-xl-base-1.0"));
  for (const char* name :
       {"", "name", "/", "a/", "/b", "a/b/c", "../b", "a/..", "./b", "a/b c", "~/b", "a/b\n"}) {
    CAPTURE(name);
    CHECK_FALSE(is_repository_id(name));
    CHECK_FALSE(find_in_hub_cache(name).has_value());
  }
}

TEST_CASE("the snapshot of refs/main goes before a newer one") {
  const test::ScratchFolder cache;
  const EnvironmentVariable variable("HF_HUB_CACHE", cache.path().c_str());
  CHECK_FALSE(find_in_hub_cache("owner/name").has_value());
  const fs::path first = write_snapshot(cache, "aaaa");
  const fs::path second = write_snapshot(cache, "bbbb");
  fs::last_write_time(second, fs::last_write_time(first) + std::chrono::seconds(5));
  CHECK(find_in_hub_cache("owner/name") == second);
  cache.write("models--owner--name/refs/main", "aaaa\n");
  CHECK(find_in_hub_cache("owner/name") == first);
  cache.write("models--owner--name/refs/main", "../../../elsewhere");
  CHECK(find_in_hub_cache("owner/name") == second);
}

TEST_CASE("a snapshot that lacks weights is passed over") {
  const test::ScratchFolder cache;
  const EnvironmentVariable variable("HF_HUB_CACHE", cache.path().c_str());
  const fs::path whole = write_snapshot(cache, "aaaa");
  const fs::path broken = write_snapshot(cache, "bbbb");
  cache.write("models--owner--name/refs/main", "bbbb");
  CHECK(find_in_hub_cache("owner/name") == broken);
  fs::remove(broken / "unet/diffusion_pytorch_model.safetensors");
  CHECK_FALSE(is_complete_snapshot(broken));
  CHECK(find_in_hub_cache("owner/name") == whole);
  fs::remove(whole / "model_index.json");
  CHECK_FALSE(find_in_hub_cache("owner/name").has_value());
}

TEST_CASE("a link into blobs that was never downloaded does not count as weights") {
  const test::ScratchFolder cache;
  const EnvironmentVariable variable("HF_HUB_CACHE", cache.path().c_str());
  const fs::path snapshot = write_snapshot(cache, "aaaa");
  const fs::path file = snapshot / "unet/diffusion_pytorch_model.safetensors";
  fs::remove(file);
  fs::create_symlink("../../../blobs/none", file);
  CHECK_FALSE(find_in_hub_cache("owner/name").has_value());
}

#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "sdbench/engine/pipeline/cuda_graph.h"

namespace sdbench {

/// Graphs where there is no GPU: the work that was recorded, done again at each replay on the
/// tensors that it was recorded with.
class ReplayedWork final : public GraphMaker {
public:
  /// What happened, in order: "w" for a warm-up, "c" for a capture, "r" for a replay.
  std::string* log;
  std::string refusal;         ///< of each capture, if it is not empty
  std::string upload_refusal;  ///< of each upload, if it is not empty
  bool upload_replays = false; ///< like with libtorch 2.7
  /// Number of uploads, also refused ones. The graphs share it, for they may outlive the maker.
  std::shared_ptr<int> uploads = std::make_shared<int>(0);

  explicit ReplayedWork(std::string& text, std::string why_not = {})
      : log(&text), refusal(std::move(why_not)) {}

  void warm_up(const std::function<void()>& work) override {
    *log += 'w';
    work();
  }
  std::unique_ptr<WorkGraph> capture(const std::function<void()>& work) override {
    *log += 'c';
    if (!refusal.empty()) {
      throw std::runtime_error(refusal);
    }
    return std::make_unique<Graph>(*log, work, uploads, upload_refusal, upload_replays);
  }

private:
  struct Graph final : WorkGraph {
    Graph(std::string& text, std::function<void()> recorded, std::shared_ptr<int> count,
          std::string why_no_upload, bool replays)
        : log(text), work(std::move(recorded)), uploads(std::move(count)),
          upload_refusal(std::move(why_no_upload)), upload_replays(replays) {}
    void upload() override {
      ++*uploads;
      if (!upload_refusal.empty()) {
        throw std::runtime_error(upload_refusal);
      }
      if (upload_replays) {
        replay();
      }
    }
    void replay() override {
      log += 'r';
      work();
    }
    std::string& log;
    std::function<void()> work;
    std::shared_ptr<int> uploads;
    std::string upload_refusal;
    bool upload_replays;
  };
};

} // namespace sdbench

#include "shared_memory_backend.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <ctime>
#include <new>
#include <string>
#include <utility>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include "process_group.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/system/signals_blocked.h"

namespace sdbench {
namespace {

constexpr std::size_t kPieceBytes = 2U << 20; ///< of a piece, which a device shows at a time

/// Sleeps while `word` is `seen`, but at most for a moment.
void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  constexpr timespec kMoment{0, 50'000'000};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, seen, &kMoment, nullptr, 0);
}

void wake_all_on(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// True if a device that has brought `brought` pieces has brought the piece of `turn`. Counts wrap
/// around at 2^32.
bool has_come(std::uint32_t brought, std::uint32_t turn) {
  return static_cast<std::int32_t>(brought - (turn + 1)) >= 0;
}

template <class Number>
void add_numbers(std::byte* sum, const std::byte* more, std::size_t bytes) {
  auto* const to = reinterpret_cast<Number*>(sum);
  const auto* const from = reinterpret_cast<const Number*>(more);
  for (std::size_t i = 0; i < bytes / sizeof(Number); ++i) {
    to[i] = static_cast<Number>(static_cast<float>(to[i]) + static_cast<float>(from[i]));
  }
}

void add(at::ScalarType type, std::byte* sum, const std::byte* more, std::size_t bytes) {
  switch (type) {
  case at::kFloat:
    return add_numbers<float>(sum, more, bytes);
  case at::kHalf:
    return add_numbers<c10::Half>(sum, more, bytes);
  case at::kBFloat16:
    return add_numbers<c10::BFloat16>(sum, more, bytes);
  default:
    throw Error("sums over devices must be of fp32, fp16 or bf16, but are of " +
                std::string(c10::toString(type)));
  }
}

const at::Tensor& only(const std::vector<at::Tensor>& tensors) {
  TORCH_CHECK(tensors.size() == 1 && tensors.front().is_contiguous(),
              "one contiguous tensor is shared at a time");
  return tensors.front();
}

std::byte* bytes_of(const at::Tensor& tensor) {
  return static_cast<std::byte*>(tensor.mutable_data_ptr());
}

/// Calls `use(begin, bytes)` for each piece of a tensor.
template <class Use>
void for_pieces(const at::Tensor& tensor, const Use& use) {
  std::byte* const begin = bytes_of(tensor);
  for (std::size_t done = 0; done < tensor.nbytes(); done += kPieceBytes) {
    use(begin + done, std::min(kPieceBytes, tensor.nbytes() - done));
  }
}

} // namespace

class SharedMemoryBackend::Pending final : public c10d::Work {
public:
  /// `root`: the source of a broadcast.
  Pending(c10d::OpType type, at::Tensor tensor, std::size_t root)
      : Work(-1, type), tensor_(std::move(tensor)), root_(root),
        future_(c10::make_intrusive<c10::ivalue::Future>(
            c10::ListType::create(c10::TensorType::get()))) {}

  bool isCompleted() override { return future_->completed(); }
  bool isSuccess() const override { return future_->completed() && !future_->hasError(); }
  bool wait(std::chrono::milliseconds /*timeout*/) override {
    future_->waitAndThrow();
    return true;
  }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override { return future_; }
  std::vector<at::Tensor> result() override { return {tensor_}; }

  [[nodiscard]] bool is_sum() const { return opType_ == c10d::OpType::ALLREDUCE; }
  [[nodiscard]] const at::Tensor& tensor() const { return tensor_; }
  [[nodiscard]] std::size_t root() const { return root_; }
  void succeed() { future_->markCompleted(c10::IValue(std::vector<at::Tensor>{tensor_})); }
  void fail(std::exception_ptr reason) { future_->setError(std::move(reason)); }

private:
  at::Tensor tensor_;
  std::size_t root_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;
};

std::size_t SharedMemoryBackend::bytes_for(std::size_t devices) {
  return devices * (sizeof(Board) + kSides * kPieceBytes);
}

SharedMemoryBackend::SharedMemoryBackend(SharedMemory memory, DevicePlace place)
    : Backend(static_cast<int>(place.number), static_cast<int>(place.devices.size())),
      memory_(std::move(memory)), place_(std::move(place)) {
  const SignalsBlocked for_the_thread;
  thread_ = std::thread([this] { serve(); });
}

SharedMemoryBackend::~SharedMemoryBackend() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

c10::intrusive_ptr<c10d::Work>
SharedMemoryBackend::allreduce(std::vector<at::Tensor>& tensors,
                               const c10d::AllreduceOptions& options) {
  TORCH_CHECK(options.reduceOp == c10d::ReduceOp::SUM, "devices add up, and do nothing else");
  return enqueue(c10::make_intrusive<Pending>(c10d::OpType::ALLREDUCE, only(tensors), 0));
}

c10::intrusive_ptr<c10d::Work>
SharedMemoryBackend::broadcast(std::vector<at::Tensor>& tensors,
                               const c10d::BroadcastOptions& options) {
  return enqueue(c10::make_intrusive<Pending>(c10d::OpType::BROADCAST, only(tensors),
                                              static_cast<std::size_t>(options.rootRank)));
}

c10::intrusive_ptr<c10d::Work> SharedMemoryBackend::enqueue(c10::intrusive_ptr<Pending> operation) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(operation);
  }
  changed_.notify_all();
  return operation;
}

void SharedMemoryBackend::serve() {
  run_on(cores_at_start()); // a computing thread may be bound to a single core
  std::exception_ptr failure;
  for (;;) {
    c10::intrusive_ptr<Pending> operation;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) {
        return;
      }
      operation = std::move(waiting_.front());
      waiting_.pop_front();
    }
    try {
      if (failure) { // the devices no longer agree on their turn
        std::rethrow_exception(failure);
      }
      run(*operation);
      operation->succeed();
    } catch (...) {
      failure = std::current_exception();
      operation->fail(failure);
    }
  }
}

void SharedMemoryBackend::run(const Pending& operation) {
  if (operation.is_sum()) {
    add_up(operation.tensor());
  } else {
    copy_from(operation.root(), operation.tensor());
  }
}

void SharedMemoryBackend::add_up(const at::Tensor& tensor) {
  const at::ScalarType type = tensor.scalar_type();
  for_pieces(tensor, [&](std::byte* numbers, std::size_t bytes) {
    const auto own = static_cast<std::size_t>(place_.number);
    std::memcpy(slot(own), numbers, bytes);
    meet(2 * bytes);
    std::memcpy(numbers, slot(0), bytes);
    for (std::size_t device = 1; device < place_.devices.size(); ++device) {
      add(type, numbers, slot(device), bytes);
    }
    ++turn_;
  });
}

void SharedMemoryBackend::copy_from(std::size_t root, const at::Tensor& tensor) {
  const bool is_root = static_cast<std::size_t>(place_.number) == root;
  for_pieces(tensor, [&](std::byte* values, std::size_t bytes) {
    if (is_root) {
      std::memcpy(slot(root), values, bytes);
    }
    meet(2 * bytes + 1);
    if (!is_root) {
      std::memcpy(values, slot(root), bytes);
    }
    ++turn_;
  });
}

/// Announces this device's piece, and waits until all devices have announced theirs.
void SharedMemoryBackend::meet(std::uint64_t piece) {
  const std::size_t side = turn_ % kSides;
  Board& own = board(static_cast<std::size_t>(place_.number));
  own.piece[side] = piece;
  own.turn.store(turn_ + 1, std::memory_order_release);
  wake_all_on(own.turn);
  for (std::size_t device = 0; device < place_.devices.size(); ++device) {
    wait_for(device);
    if (board(device).piece[side] != piece) {
      throw Error("all devices must share the same tensors in the same order, but " +
                  place_.devices[device] + " does not; this is a bug in sdbench");
    }
  }
}

void SharedMemoryBackend::wait_for(std::size_t device) {
  const std::atomic<std::uint32_t>& theirs = board(device).turn;
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    const std::uint32_t seen = theirs.load(std::memory_order_acquire);
    if (has_come(seen, turn_)) {
      return;
    }
    if (ending_) {
      throw Error("this device has ended while others wait for its gradients");
    }
    const auto waited = std::chrono::steady_clock::now() - start;
    if (waited > std::chrono::milliseconds(20)) { // most come sooner, and a check costs time
      try {
        require_partner(place_, device, waited);
      } catch (const Error&) {
        if (!has_come(theirs, turn_)) { // it may have brought its last piece before it ended
          throw;
        }
      }
    }
    sleep_on(theirs, seen);
  }
}

SharedMemoryBackend::Board& SharedMemoryBackend::board(std::size_t device) const {
  return *std::launder(reinterpret_cast<Board*>(memory_.bytes().data()) + device);
}

/// Where the device's piece of the current turn is.
std::byte* SharedMemoryBackend::slot(std::size_t device) const {
  const std::size_t devices = place_.devices.size();
  return memory_.bytes().data() + devices * sizeof(Board) +
         (turn_ % kSides * devices + device) * kPieceBytes;
}

} // namespace sdbench

#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "app/state/jobs/job.h"
#include "core/base/error.h"
#include "core/base/failure.h"
#include "core/base/translate.h"

namespace headscope {

/// Why what is shown is not the latest request though nothing is being computed.
enum class Idle { none, stopped, failed };

/// Computations in the background, whatever they compute.
class BackgroundWork {
 public:
  virtual ~BackgroundWork() = default;
  /// Returns once why something could not be computed. The previous value stays, and is not tried again while
  /// it is requested.
  virtual std::optional<Error> take_error() = 0;
  /// Cancels what is being computed; the previous values stay, also for the last request, until again().
  virtual void halt() = 0;
  /// The next request retries what was cancelled or failed.
  virtual void again() = 0;
  virtual Idle idle() const = 0;
  /// Progress of what busy() refers to; nullptr: it has not started.
  virtual const WorkProgress* progress() const = 0;
  virtual bool busy() const = 0;
  /// For tests: blocks until what is running is done; the next request takes it over.
  virtual void wait() const = 0;
};

/// Several of them as one.
class BackgroundGroup : public BackgroundWork {
 public:
  std::optional<Error> take_error() override;
  void halt() override;
  void again() override;
  Idle idle() const override;
  const WorkProgress* progress() const override;
  bool busy() const override;
  void wait() const override;

 private:
  /// Calls use() with each of them; a function with one reference, so that nothing is allocated.
  virtual void for_each(const std::function<void(BackgroundWork&)>& use) const = 0;
};

/// A value computed from a key, kept while the key stays the same. Slow values are computed in the
/// background, one at a time: the latest key wins, and the previous value is returned until the new one is
/// ready.
template <typename Key, typename Value>
class Background : public BackgroundWork {
 public:
  using Result = std::shared_ptr<const Value>;
  using Compute = typename Job<Result>::Work;

  /// `on_the_spot`: `compute` is fast enough for a frame; its exceptions are then thrown here. nullptr: there
  /// is no value yet. `compute` returns nullptr only if it was stopped.
  Result get(const Key& key, bool on_the_spot, Compute compute) {
    wanted_ = true;
    take_over();
    if (!requested_ || !(*requested_ == key)) {
      requested_ = key;
      next_ = std::move(compute);
      idle_ = Idle::none;
      job_.stop();
    }
    if (next_ && on_the_spot) compute_here(*std::exchange(next_, std::nullopt));
    start();
    return value_;
  }
  /// The same, but no value instead of that of another key.
  Result get_only(const Key& key, bool on_the_spot, Compute compute) {
    const Result value = get(key, on_the_spot, std::move(compute));
    return value && *value_key_ == key ? value : nullptr;
  }
  /// The same, never on the spot, and before it is whole what its work has shown of it.
  Result get_partial(const Key& key, Compute compute) {
    if (Result whole = get_only(key, false, std::move(compute))) return whole;
    const bool runs = started_ && *started_ == key && !overtaken_;
    return runs ? job_.partial().value_or(nullptr) : nullptr;
  }
  /// The key that the value is of; nullptr: there is no value.
  const Key* value_key() const { return value_ ? &*value_key_ : nullptr; }
  std::optional<Error> take_error() override { return std::exchange(error_, std::nullopt); }
  /// Once a frame: takes over a finished value even if it is no longer requested, so that busy() ends.
  void settle() {
    take_over();
    start();
  }
  /// Once a frame; with `forget`, releases a value that was not requested since the previous frame.
  void note_frame(bool forget) {
    wanted_before_ = std::exchange(wanted_, false);
    if (!wanted_before_ && forget) {
      leave();
      value_.reset();
      value_key_.reset();
    }
  }
  /// The value being computed is no longer needed; the present one stays.
  void leave() {
    stop();
    requested_.reset();
    idle_ = Idle::none;
  }
  void halt() override {
    if (!busy()) return;
    stop();
    idle_ = Idle::stopped;
  }
  void again() override {
    if (std::exchange(idle_, Idle::none) != Idle::none) requested_.reset();
  }
  /// Only for values requested in the frame before note_frame() or since.
  Idle idle() const override { return wanted_ || wanted_before_ ? idle_ : Idle::none; }
  const WorkProgress* progress() const override { return busy() && !next_ ? job_.progress() : nullptr; }
  /// Whether get()'s value is not yet that of the last key.
  bool busy() const override { return next_ || (job_.started() && !overtaken_); }
  /// Requests the running computation to end; its value will not be requested.
  void stop() {
    job_.stop();
    next_.reset();
    overtaken_ = job_.started();
  }
  /// Whether nothing is running, so that the destructor does not wait.
  bool rests() const { return !job_.started() || job_.done(); }
  void wait() const override { job_.wait(); }

 private:
  void take_over() {
    if (!job_.done()) return;
    const bool wanted = !std::exchange(overtaken_, false), stopped = job_.stopped();
    std::optional<Key> key = std::exchange(started_, std::nullopt);  // may hold much memory
    try {
      Result result = job_.take();
      if (!result || !wanted) return;
      value_ = std::move(result);
      value_key_ = std::move(key);
    } catch (...) {
      if (!wanted || stopped) return;
      idle_ = Idle::failed;
      error_ = handled_error(TR("what is shown could not be computed: "));
    }
  }
  void compute_here(const Compute& compute) {
    overtaken_ = job_.started();
    try {
      WorkProgress nobody_asks;
      Partial<Result> nobody_looks;
      value_ = compute({}, nobody_asks, nobody_looks);
      value_key_ = requested_;
    } catch (...) {
      // The previous value may not fit what is shown with the new one.
      requested_.reset();
      value_.reset();
      value_key_.reset();
      throw;
    }
  }
  void start() {
    if (!next_ || job_.started()) return;
    Compute compute = *std::exchange(next_, std::nullopt);
    try {
      started_ = requested_;
      job_.start(std::move(compute));
    } catch (...) {
      requested_.reset();
      throw;
    }
  }

  std::optional<Key> requested_, started_, value_key_;  // the last one; of the job; of the value
  Result value_;
  std::optional<Error> error_;
  std::optional<Compute> next_;  // waits until the running one has ended
  bool wanted_ = false;          // since the last frame began
  bool wanted_before_ = false;
  Idle idle_ = Idle::none;
  bool overtaken_ = false;  // the running computation is older than value_
  Job<Result> job_;
};

}  // namespace headscope

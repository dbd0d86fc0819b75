#pragma once
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

/// A value computed from a key, kept while the key stays the same. Slow values are computed in the
/// background, one at a time: the latest key wins, and the previous value is returned until the new one is
/// ready.
template <typename Key, typename Value>
class Background {
 public:
  using Made = std::shared_ptr<const Value>;
  using Make = typename Job<Made>::Work;

  /// `on_the_spot`: `make` is fast enough for a frame; its exceptions are then thrown here. nullptr: there is
  /// no value yet. `make` returns nullptr only if it was stopped.
  Made get(const Key& key, bool on_the_spot, Make make) {
    wanted_ = true;
    take_over();
    if (!requested_ || !(*requested_ == key)) {
      requested_ = key;
      next_ = std::move(make);
      idle_ = Idle::none;
      job_.stop();
    }
    if (next_ && on_the_spot) make_here(*std::exchange(next_, std::nullopt));
    start();
    return value_;
  }
  /// Returns once why the last value could not be computed. The previous value stays, and the key is not
  /// tried again while it is requested.
  std::optional<Error> take_error() { return std::exchange(error_, std::nullopt); }
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
    }
  }
  /// The value being computed is no longer needed; the present one stays.
  void leave() {
    stop();
    requested_.reset();
    idle_ = Idle::none;
  }
  /// Cancels the computation; the previous value stays, also for the last key, until again().
  void halt() {
    if (!busy()) return;
    stop();
    idle_ = Idle::stopped;
  }
  /// The next get() retries what was cancelled or failed.
  void again() {
    if (std::exchange(idle_, Idle::none) != Idle::none) requested_.reset();
  }
  /// Only for values requested in the frame before note_frame() or since.
  Idle idle() const { return wanted_ || wanted_before_ ? idle_ : Idle::none; }
  /// Progress of what busy() refers to; nullptr: it has not started.
  const WorkProgress* progress() const { return busy() && !next_ ? job_.progress() : nullptr; }
  /// Whether get()'s value is not yet that of the last key.
  bool busy() const { return next_ || (job_.started() && !overtaken_); }
  /// Requests the running computation to end; its value will not be requested.
  void stop() {
    job_.stop();
    next_.reset();
    overtaken_ = job_.started();
  }
  /// Whether nothing is running, so that the destructor does not wait.
  bool rests() const { return !job_.started() || job_.done(); }
  /// For tests: blocks until the running computation is done; the next get() takes it over.
  void wait() const { job_.wait(); }

 private:
  void take_over() {
    if (!job_.done()) return;
    const bool wanted = !std::exchange(overtaken_, false), stopped = job_.stopped();
    try {
      Made result = job_.take();
      if (result && wanted) value_ = std::move(result);
    } catch (...) {
      if (!wanted || stopped) return;
      idle_ = Idle::failed;
      error_ = handled_error(TR("what is shown could not be computed: "));
    }
  }
  void make_here(const Make& make) {
    overtaken_ = job_.started();
    try {
      WorkProgress nobody_asks;
      value_ = make({}, nobody_asks);
    } catch (...) {
      // The previous value may not fit what is shown with the new one.
      requested_.reset();
      value_.reset();
      throw;
    }
  }
  void start() {
    if (!next_ || job_.started()) return;
    try {
      job_.start(*std::exchange(next_, std::nullopt));
    } catch (...) {
      requested_.reset();
      throw;
    }
  }

  std::optional<Key> requested_;
  Made value_;
  std::optional<Error> error_;
  std::optional<Make> next_;  // waits until the running one has ended
  bool wanted_ = false;       // since the last frame began
  bool wanted_before_ = false;
  Idle idle_ = Idle::none;
  bool overtaken_ = false;  // the running computation is older than value_
  Job<Made> job_;
};

}  // namespace headscope

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

/// Why what is shown is not of what was asked for last, though nothing is being computed.
enum class Idle { none, stopped, failed };

/// A value made from a key, kept as long as the key stays. What takes long is made beside the frames, one at
/// a time: the latest key wins, and the value before is given until the new one is there.
template <typename Key, typename Value>
class Background {
 public:
  using Made = std::shared_ptr<const Value>;
  using Make = typename Job<Made>::Work;

  /// `on_the_spot` says whether `make` is quick enough for a frame; what it throws then is thrown here.
  /// nullptr: there is no value yet. `make` gives nullptr only when it was stopped.
  Made get(const Key& key, bool on_the_spot, Make make) {
    asked_ = true;
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
  /// Once: why the last value could not be made. The one before stays, and there is no other try for its key
  /// while that is asked for.
  std::optional<Error> take_error() { return std::exchange(error_, std::nullopt); }
  /// Once a frame: takes over what is ready also where nobody asks for it any more, so that busy() ends.
  void settle() {
    take_over();
    start();
  }
  /// Once a frame; lets go of a value that nobody asked for since the frame before, where that is wanted.
  void note_frame(bool forget) {
    asked_before_ = std::exchange(asked_, false);
    if (!asked_before_ && forget) {
      leave();
      value_.reset();
    }
  }
  /// Nobody waits for what is being made any more; the value that is there stays.
  void leave() {
    stop();
    requested_.reset();
    idle_ = Idle::none;
  }
  /// Gives up what is being made; the value before stays, also for the last key, until again().
  void halt() {
    if (!busy()) return;
    stop();
    idle_ = Idle::stopped;
  }
  /// The next get() tries again what was given up or failed.
  void again() {
    if (std::exchange(idle_, Idle::none) != Idle::none) requested_.reset();
  }
  /// Of what somebody asked for in the frame before note_frame() or since.
  Idle idle() const { return asked_ || asked_before_ ? idle_ : Idle::none; }
  /// Of what busy() is about; nullptr: it does not run yet.
  const WorkProgress* progress() const { return busy() && !next_ ? job_.progress() : nullptr; }
  /// Whether what get() gave is not yet that of the last key.
  bool busy() const { return next_ || (job_.started() && !overtaken_); }
  /// Asks what runs to end; nobody is going to ask for its value.
  void stop() {
    job_.stop();
    next_.reset();
    overtaken_ = job_.started();
  }
  /// Whether nothing runs, so that the destructor does not wait.
  bool rests() const { return !job_.started() || job_.done(); }
  /// For tests: blocks until the running one is done; the next get() takes it over.
  void wait() const { job_.wait(); }

 private:
  void take_over() {
    if (!job_.done()) return;
    const bool wanted = !std::exchange(overtaken_, false), stopped = job_.stopped();
    try {
      Made made = job_.take();
      if (made && wanted) value_ = std::move(made);
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
      // The one before may not fit what is shown with this one.
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
  bool asked_ = false;        // since the last frame began
  bool asked_before_ = false;
  Idle idle_ = Idle::none;
  bool overtaken_ = false;  // what runs is older than value_
  Job<Made> job_;
};

}  // namespace headscope

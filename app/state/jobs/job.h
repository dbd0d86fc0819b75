#pragma once
#include <atomic>
#include <chrono>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/forecast.h"
#include "core/system/fibers.h"

namespace headscope {

/// Progress of background work: written by its thread, read by the window's.
class WorkProgress {
 public:
  void report(const Forecast& forecast) {
    bytes_ = forecast.bytes;
    expected_ = forecast.seconds;
  }
  void show(double share) { share_ = share; }
  /// Starts the measurement: earlier work is not part of the reported share.
  void begin() { begun_ = Clock::now(); }

  struct Now {
    double share = -1;         ///< 0 to 1; below 0: not known
    double seconds_left = 0;   ///< 0: not known
    double seconds_since = 0;  ///< since begin()
    double bytes = 0;          ///< memory that it needs, if known
  };
  Now now() const {
    constexpr double worth_a_guess = 0.02;
    Now now{share_, 0, std::chrono::duration<double>(Clock::now() - begun_.load()).count(), bytes_};
    if (now.share > worth_a_guess)
      now.seconds_left = now.seconds_since * (1 - now.share) / now.share;
    else if (expected_ > now.seconds_since)
      now.seconds_left = expected_ - now.seconds_since;
    return now;
  }
  /// Whether it takes so long, by forecast or already, that the window offers to stop it.
  bool is_long() const {
    constexpr double patience = 1;  // s
    return Forecast{expected_, 0}.is_long() || now().seconds_since >= patience;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<double> share_ = -1, expected_ = 0, bytes_ = 0;
  std::atomic<Clock::time_point> begun_ = Clock::now();
};

/// What there is of a result whose computation has not ended.
template <typename T>
class Partial {
 public:
  /// By the thread of the work. `make` makes a copy for others, and is called only if somebody has looked.
  template <std::invocable Make>
  void show(const Make& make) {
    if (!wanted_.exchange(false)) return;
    T made = make();
    const std::lock_guard lock(mutex_);
    latest_ = std::move(made);
  }
  /// By the window's. As it was when somebody looked before.
  std::optional<T> look() {
    wanted_ = true;
    const std::lock_guard lock(mutex_);
    return latest_;
  }

 private:
  std::atomic<bool> wanted_ = true;
  std::mutex mutex_;
  std::optional<T> latest_;
};

/// A computation in the background, on its own thread: one at a time, with a way to request a stop. take()
/// rethrows its exceptions. The destructor requests a stop and waits. Where no thread can be started, as in a
/// browser, it is a fiber; where there are none either, the work is done by whoever first asks for its end
/// (done, wait, take), which a window does at the start of its next frame.
template <typename T>
class Job {
 public:
  /// Constructed from a callable with a stop token and optionally a WorkProgress to report progress to, and a
  /// Partial to show results in before they are whole.
  class Work {
   public:
    template <std::invocable<const std::stop_token&, WorkProgress&, Partial<T>&> Do>
    Work(Do work) : do_(std::move(work)) {}
    template <std::invocable<const std::stop_token&, WorkProgress&> Do>
    Work(Do work)
        : do_([work = std::move(work)](const std::stop_token& stop, WorkProgress& progress, Partial<T>&) {
            return work(stop, progress);
          }) {}
    template <std::invocable<const std::stop_token&> Do>
    Work(Do work)
        : do_([work = std::move(work)](const std::stop_token& stop, WorkProgress&, Partial<T>&) {
            return work(stop);
          }) {}
    T operator()(const std::stop_token& stop, WorkProgress& progress, Partial<T>& partial) const {
      return do_(stop, progress, partial);
    }

   private:
    std::function<T(const std::stop_token&, WorkProgress&, Partial<T>&)> do_;
  };

  /// `wake` is called from the thread once it is done.
  void start(Work work, std::function<void()> wake = {}) {
    drop();
    state_ = std::make_shared<State>();
    state_->work.emplace(std::move(work));
    state_->wake = std::move(wake);
    try {
      thread_ = std::jthread([state = state_](const std::stop_token& stop) { state->run(stop); });
      stop_ = thread_.get_stop_source();
    } catch (const std::system_error&) {
      stop_ = std::stop_source();
      if (can_start_fibers())
        start_fiber([state = state_, stop = stop_.get_token()] { state->run(stop); });
      else
        state_->waits = true;
    } catch (...) {
      state_->end(std::current_exception());
    }
  }
  /// True from start() until the result is taken.
  bool started() const { return state_ != nullptr; }
  bool done() const {
    run_here();
    return state_ && state_->done;
  }
  void stop() { stop_.request_stop(); }
  bool stopped() const { return stop_.stop_requested(); }
  /// Its progress while it runs; nullptr: nothing is running.
  const WorkProgress* progress() const { return state_ && !state_->done ? &state_->progress : nullptr; }
  /// What there is of its result, if its work shows that; nothing: it has shown nothing, or is not running.
  std::optional<T> partial() const { return state_ ? state_->partial.look() : std::nullopt; }
  /// Blocks until it is done.
  void wait() const {
    run_here();
    if (state_) wait_for(state_->done);
  }
  /// Returns the result of a started job, once. Blocks until it is done; rethrows its exception.
  T take() {
    wait();
    const std::shared_ptr<State> state = state_;
    drop();
    if (state->failure) std::rethrow_exception(state->failure);
    return std::move(*state->result);
  }
  /// Discards a job and its result; blocks until it is done.
  void drop() {
    stop_.request_stop();
    thread_ = {};
    if (state_ && !state_->waits) wait_for(state_->done);
    state_ = nullptr;
    stop_ = std::stop_source(std::nostopstate);
  }

 private:
  struct State {
    std::optional<Work> work;
    WorkProgress progress;
    Partial<T> partial;
    std::function<void()> wake;
    std::optional<T> result;
    std::exception_ptr failure;
    std::atomic<bool> done = false;
    bool waits = false;  // no thread does the work

    void run(const std::stop_token& stop) {
      try {
        result.emplace((*work)(stop, progress, partial));
      } catch (...) {
        return end(std::current_exception());
      }
      end(nullptr);
    }
    void end(std::exception_ptr why) {
      failure = std::move(why);
      work.reset();  // may hold much memory: freed here, so that the window does not wait
      done = true;
      done.notify_all();
      if (wake) wake();
    }
  };

  void run_here() const {
    if (state_ && std::exchange(state_->waits, false)) state_->run(stop_.get_token());
  }

  std::shared_ptr<State> state_;
  std::stop_source stop_{std::nostopstate};
  std::jthread thread_;
};

}  // namespace headscope

#pragma once
#include <atomic>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "app/state/jobs/work_progress.h"

namespace headscope {

/// Something that is made beside the frames, on a thread of its own: one at a time, which can be asked to
/// stop. Whatever it throws, take() throws to who asked for it. At the end it is asked to stop, and waited
/// for.
template <typename T>
class Job {
 public:
  /// Made of what takes a stop token, and where it says how far it has come a WorkProgress.
  class Work {
   public:
    template <std::invocable<const std::stop_token&, WorkProgress&> Do>
    Work(Do work) : do_(std::move(work)) {}
    template <std::invocable<const std::stop_token&> Do>
    Work(Do work)
        : do_([work = std::move(work)](const std::stop_token& stop, WorkProgress&) { return work(stop); }) {}
    T operator()(const std::stop_token& stop, WorkProgress& progress) const { return do_(stop, progress); }

   private:
    std::function<T(const std::stop_token&, WorkProgress&)> do_;
  };

  /// `wake` is called from the thread once it is done. That no thread could be started is how the job ended.
  void start(Work work, std::function<void()> wake = {}) {
    drop();
    state_ = std::make_shared<State>();
    state_->work.emplace(std::move(work));
    state_->wake = std::move(wake);
    try {
      thread_ = std::jthread([state = state_](const std::stop_token& stop) { state->run(stop); });
    } catch (...) {
      state_->end(std::current_exception());
    }
  }
  /// From start() until its result is taken.
  bool started() const { return state_ != nullptr; }
  bool done() const { return state_ && state_->done; }
  void stop() { thread_.request_stop(); }
  bool stopped() const { return thread_.get_stop_token().stop_requested(); }
  /// While it runs; nullptr: nothing does.
  const WorkProgress* progress() const { return state_ && !state_->done ? &state_->progress : nullptr; }
  /// Blocks until it is done.
  void wait() const {
    if (state_) state_->done.wait(false);
  }
  /// Of a job that was started, once: what it made. Blocks until it is done; throws what it threw.
  T take() {
    wait();
    thread_ = {};
    const std::shared_ptr<State> state = std::exchange(state_, nullptr);
    if (state->failure) std::rethrow_exception(state->failure);
    return std::move(*state->made);
  }
  /// Lets go of a job and of what it made; blocks until it is done.
  void drop() {
    thread_ = {};
    state_ = nullptr;
  }

 private:
  struct State {
    std::optional<Work> work;
    WorkProgress progress;
    std::function<void()> wake;
    std::optional<T> made;
    std::exception_ptr failure;
    std::atomic<bool> done = false;

    void run(const std::stop_token& stop) {
      try {
        made.emplace((*work)(stop, progress));
      } catch (...) {
        return end(std::current_exception());
      }
      end(nullptr);
    }
    void end(std::exception_ptr why) {
      failure = std::move(why);
      work.reset();  // what it held may be large: the window does not wait until that is given back
      done = true;
      done.notify_all();
      if (wake) wake();
    }
  };

  std::shared_ptr<State> state_;
  std::jthread thread_;
};

}  // namespace headscope

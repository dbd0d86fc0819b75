#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace headscope {

/// Something that is made beside the frames, on a thread of its own: one at a time, which can be asked to
/// stop. Whatever it throws, take() throws to who asked for it. At the end it is asked to stop, and waited
/// for.
template <typename T>
class Job {
 public:
  using Work = std::function<T(const std::stop_token&)>;

  /// `wake` is called from the thread once it is done. That no thread could be started is how the job ended.
  void start(Work work, std::function<void()> wake = {}) {
    drop();
    state_ = std::make_shared<State>();
    state_->work = std::move(work);
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
    Work work;
    std::function<void()> wake;
    std::optional<T> made;
    std::exception_ptr failure;
    std::atomic<bool> done = false;

    void run(const std::stop_token& stop) {
      try {
        made.emplace(work(stop));
      } catch (...) {
        return end(std::current_exception());
      }
      end(nullptr);
    }
    void end(std::exception_ptr why) {
      failure = std::move(why);
      work = nullptr;  // what it held may be large: the window does not wait until that is given back
      done = true;
      done.notify_all();
      if (wake) wake();
    }
  };

  std::shared_ptr<State> state_;
  std::jthread thread_;
};

}  // namespace headscope

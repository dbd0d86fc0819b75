#pragma once
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace headscope {

/// A value made from a key, kept as long as the key stays. What takes long is made beside the frames, one at
/// a time: the latest key wins, and the value before is given until the new one is there.
template <typename Key, typename Value>
class Background {
 public:
  using Make = std::function<std::shared_ptr<const Value>(std::stop_token)>;

  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() { stop_.request_stop(); }

  /// `on_the_spot` says whether `make` is quick enough for a frame. nullptr: there is no value yet. `make`
  /// gives nullptr only when it was stopped.
  std::shared_ptr<const Value> get(const Key& key, bool on_the_spot, Make make) {
    asked_ = true;
    take_over();
    if (!requested_ || !(*requested_ == key)) {
      requested_ = key;
      next_ = std::move(make);
      stop_.request_stop();
    }
    if (next_ && on_the_spot) {
      value_ = std::exchange(next_, nullptr)({});
      overtaken_ = running_.valid();
    }
    start();
    return value_;
  }
  /// Once a frame: takes over what is ready also where nobody asks for it any more, so that busy() ends.
  void settle() {
    take_over();
    start();
  }
  /// Once a frame; lets go of a value that nobody asked for since the frame before, where that is wanted.
  void note_frame(bool forget) {
    if (!std::exchange(asked_, false) && forget) {
      leave();
      value_.reset();
    }
  }
  /// Nobody waits for what is being made any more; the value that is there stays.
  void leave() {
    stop_.request_stop();
    overtaken_ = running_.valid();
    next_ = nullptr;
    requested_.reset();
  }
  /// Whether what get() gave is not yet that of the last key.
  bool busy() const { return next_ || (running_.valid() && !overtaken_); }
  /// Tells what runs to end; nobody is going to ask for its value.
  void stop() {
    stop_.request_stop();
    next_ = nullptr;
    overtaken_ = true;
  }
  /// Whether nothing runs, so that the destructor does not wait.
  bool rests() const {
    return !running_.valid() || running_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  /// For tests: blocks until the running one is done; the next get() takes it over.
  void wait() const {
    if (running_.valid()) running_.wait();
  }

 private:
  void take_over() {
    if (!running_.valid() || running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    std::shared_ptr<const Value> made = running_.get();
    if (made && !overtaken_) value_ = std::move(made);
    overtaken_ = false;
  }
  void start() {
    if (!next_ || running_.valid()) return;
    stop_ = std::stop_source();
    running_ = std::async(std::launch::async, std::exchange(next_, nullptr), stop_.get_token());
  }

  std::optional<Key> requested_;
  std::shared_ptr<const Value> value_;
  Make next_;               // waits until the running one has ended
  bool asked_ = false;      // since the last frame began
  bool overtaken_ = false;  // what runs is older than value_
  std::stop_source stop_;
  std::future<std::shared_ptr<const Value>> running_;  // last: its destructor waits for the worker
};

}  // namespace headscope

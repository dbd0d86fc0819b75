#pragma once
#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

namespace headscope {

/// The most recently used values by key. Thread-safe.
template <typename Key, typename Value>
class Recent {
 public:
  /// A default-constructed value if there is none.
  Value find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(kept_, key, &std::pair<Key, Value>::first);
    if (found == kept_.end()) return {};
    std::rotate(kept_.begin(), found, found + 1);
    return kept_.front().second;
  }
  /// Forgets all but `maximum` values, this one included.
  void keep(Key key, Value value, std::size_t maximum) {
    const std::lock_guard lock(mutex_);
    kept_.emplace_front(std::move(key), std::move(value));
    if (kept_.size() > maximum) kept_.resize(maximum);
  }

  void forget() {
    const std::lock_guard lock(mutex_);
    kept_.clear();
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<Key, Value>> kept_;  // most recent first
};

}  // namespace headscope

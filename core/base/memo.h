#pragma once
#include <optional>
#include <utility>

namespace headscope {

/// A value and the key that it was made from: made anew when the key is another. For values that take longer
/// than a frame there is Background (app/state/jobs/background.h), of several keys Recent (recent.h).
template <typename Key, typename Value>
class Memo {
 public:
  /// `make()` is called if the value is not that of `key`. The result is valid until the next call.
  template <typename Make>
  const Value& get(const Key& key, const Make& make) {
    if (!kept_ || !(kept_->first == key)) {
      kept_.reset();
      kept_.emplace(key, make());
    }
    return kept_->second;
  }
  /// That of the last call, if it is not forgotten.
  const Value& last() const { return kept_->second; }
  void forget() { kept_.reset(); }

 private:
  std::optional<std::pair<Key, Value>> kept_;
};

}  // namespace headscope

#pragma once
#include <string>
#include <vector>

namespace headscope {

/// Something to tell once, in the status bar. Texts are already translated.
struct Notice {
  enum class Kind { info, warning, error } kind = Kind::info;
  std::string text;
};

/// The newest is shown until the next one or until it is dismissed; the others can be read in a list.
class Notices {
 public:
  void add(Notice::Kind kind, std::string text) {
    if (!list_.empty() && list_.back().text == text) list_.pop_back();
    list_.push_back({kind, std::move(text)});
    if (list_.size() > 50) list_.erase(list_.begin());
    dismissed_ = false;
  }
  void info(std::string text) { add(Notice::Kind::info, std::move(text)); }
  void warn(std::string text) { add(Notice::Kind::warning, std::move(text)); }
  void error(std::string text) { add(Notice::Kind::error, std::move(text)); }
  void dismiss() { dismissed_ = true; }
  const Notice* current() const { return list_.empty() || dismissed_ ? nullptr : &list_.back(); }
  const std::vector<Notice>& list() const { return list_; }

 private:
  std::vector<Notice> list_;
  bool dismissed_ = true;
};

}  // namespace headscope

#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/translate.h"

namespace headscope {

/// Something to tell once, in the status bar.
struct Notice {
  enum class Kind { info, warning, error } kind = Kind::info;
  /// What it is about; what goes right there later makes its warnings and errors untrue.
  enum class About {
    nothing,
    opening,
    capture,  ///< what was assumed of it
    saving,
    settings,
    next_time,  ///< the session that the next start finds
    exporting,
    picture,
    copying,
    pasting,
    shader,
    computing,  ///< what is shown
    drawing,    ///< a frame
  } about = About::nothing;
  using Argument = std::variant<std::string, Error>;
  std::string key;                  ///< English, with `{}` for each argument
  std::vector<Argument> arguments;  ///< errors are translated with the rest
  std::string text;                 ///< in the window's language
  bool ended = false;               ///< to be read only in the list
};

/// One is shown: the newest that has not ended. An info ends by itself, or with the next notice; warnings and
/// errors stay until they are dismissed or no longer true. All can be read in a list.
class Notices {
 public:
  using About = Notice::About;
  static constexpr double info_seconds = 8;

  explicit Notices(const Translator& tr) : tr_(tr) {}

  template <typename... Args>
  void info(std::string key, const Args&... args) {
    add({Notice::Kind::info, About::nothing, std::move(key), {argument(args)...}, {}, false});
  }
  template <typename... Args>
  void warn(About about, std::string key, const Args&... args) {
    add({Notice::Kind::warning, about, std::move(key), {argument(args)...}, {}, false});
  }
  void error(About about, const Error& failure) {
    add({Notice::Kind::error, about, "{}", {failure}, {}, false});
  }

  const Notice* current() const;
  const std::vector<Notice>& list() const { return list_; }
  void dismiss();
  /// This went right: what was complained of before is no longer so.
  void settle(About about);
  /// Before and after each frame; `now` is the frame's clock. Ends an info that was shown for long enough.
  void pass_time(double now);
  /// Seconds from `now` until one ends by itself; below 0: none does.
  double due_in(double now) const;
  /// All of them anew, in the translator's present language.
  void translate();

 private:
  template <typename T>
  static Notice::Argument argument(const T& value) {
    if constexpr (std::is_same_v<T, Error>)
      return value;
    else
      return fmt::format("{}", value);
  }
  void add(Notice notice);
  std::string text_of(const Notice& notice) const;

  const Translator& tr_;
  std::vector<Notice> list_;
  double since_ = -1;  ///< when the newest was first seen; below 0: not yet
};

}  // namespace headscope

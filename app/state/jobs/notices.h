#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/translate.h"
#include "core/system/process.h"

namespace headscope {

/// A message shown once, in the status bar.
struct Notice {
  enum class Kind { info, warning, error } kind = Kind::info;
  /// The subject; a later success there makes its warnings and errors obsolete.
  enum class About {
    nothing,
    opening,
    capture,  ///< assumptions made about it
    saving,
    settings,
    next_time,  ///< the session restored by the next start
    exporting,
    picture,
    copying,
    pasting,
    fonts,  ///< characters that none has
    shader,
    computing,  ///< what is shown
    drawing,    ///< drawing a frame
  } about = About::nothing;
  /// A text of the program, in English.
  struct Term {
    const char* english;
  };
  using Argument = std::variant<std::string, Error, Term>;
  std::string key;                  ///< English, with `{}` for each argument
  std::vector<Argument> arguments;  ///< errors and terms are translated with the text
  std::string text;                 ///< in the window's language
  bool ended = false;               ///< only shown in the list
};

/// A text as users read it: a page's files are in folders that nobody else knows.
std::string without_own_folders(std::string text, bool page = is_page());
/// What a notice says of a file that was written, `natively` or as a page's download.
const char* written_text(const char* natively, bool page = is_page());

/// One notice is shown: the newest that has not ended. An info ends by itself, or with the next notice;
/// warnings and errors stay until they are dismissed or no longer true. All can be read in a list.
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
  /// A success: earlier complaints about this subject no longer apply.
  void settle(About about);
  /// Before and after each frame; `now` is the frame's clock. Ends an info that was shown long enough.
  void pass_time(double now);
  /// Seconds from `now` until one ends by itself; below 0: none does.
  double due_in(double now) const;
  /// Translates all of them again, into the translator's present language.
  void translate();

 private:
  template <typename T>
  static Notice::Argument argument(const T& value) {
    if constexpr (std::is_same_v<T, Error> || std::is_same_v<T, Notice::Term>)
      return value;
    else
      return fmt::format("{}", value);
  }
  void add(Notice notice);
  std::string text_of(const Notice& notice) const;
  std::string shown(const std::string& text) const { return text; }
  std::string shown(const Error& failure) const;
  std::string shown(const Notice::Term& term) const;

  const Translator& tr_;
  std::vector<Notice> list_;
  double since_ = -1;  ///< when the newest was first shown; below 0: not yet
};

}  // namespace headscope

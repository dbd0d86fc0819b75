#pragma once
#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

/// An English text in its singular and plural form, with its number. Other languages have other plural forms
/// (core/base/translate.h).
struct Counted {
  std::string one, many;
  std::uint64_t count = 0;
  const std::string& english() const { return count == 1 ? one : many; }
};
template <std::integral Number>
Counted counted(std::string one, std::string many, Number count) {
  return {std::move(one), std::move(many), static_cast<std::uint64_t>(count)};
}

/// An error for the user: one line that names the file or field, what was found and what was expected. The
/// command line prints it and exits with `exit_status()`; the window shows it in place, translated, and keeps
/// the last good state.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    input,   ///< wrong use or bad input: exit status 2
    unable,  ///< right, but cannot be done here (disk full, no permission, no display): exit status 1
  };

  /// `text` is an English fmt format string and the key of the translation table; each `{}` shows one
  /// argument.
  template <typename... Args>
  Error(Kind kind, std::string text, const Args&... args)
      : Error(kind, std::move(text), {}, {fmt::format("{}", args)...}) {}
  template <typename... Args>
  Error(Kind kind, const Counted& text, const Args&... args)
      : Error(kind, text.english(), text, {fmt::format("{}", args)...}) {}

  Kind kind() const { return kind_; }
  int exit_status() const { return kind_ == Kind::input ? 2 : 1; }
  /// The same error prefixed with its place: "place: error".
  Error at(const std::string& place) const;
  /// The same prefixed with a line of a file: "file: line 3: error".
  Error at_line(const std::string& file, int line) const;
  const std::string& text() const { return text_; }  ///< format string, the translation key
  const std::optional<Counted>& counted_text() const { return counted_; }  ///< of a text with plural forms
  const std::vector<std::string>& arguments() const { return args_; }      ///< in the order of its `{}`

 private:
  Error(Kind kind, std::string text, std::optional<Counted> counted, std::vector<std::string> args);
  Error behind(const char* front, std::vector<std::string> places) const;

  Kind kind_;
  std::string text_;
  std::optional<Counted> counted_;
  std::vector<std::string> args_;
};

/// The prefix of an Error that has a place.
inline constexpr const char* at_place = "{}: ";
inline constexpr const char* at_line_of_file = "{}: line {}: ";

/// `throw input_error("d_model {} is not divisible by heads {}", d_model, heads)`
template <typename... Args>
Error input_error(std::string text, const Args&... args) {
  return Error(Error::Kind::input, std::move(text), args...);
}

template <typename... Args>
Error input_error(const Counted& text, const Args&... args) {
  return Error(Error::Kind::input, text, args...);
}

template <typename... Args>
Error unable_error(std::string text, const Args&... args) {
  return Error(Error::Kind::unable, std::move(text), args...);
}

/// "head is 9; expected 0 to 7": a number of something of which there are `count`, numbered from 0.
template <typename Number>
Error out_of_range(std::string_view name, Number number, std::ptrdiff_t count) {
  if (count == 1) return input_error("{} is {}; expected {}", name, number, 0);
  return input_error("{} is {}; expected {} to {}", name, number, 0, count - 1);
}

}  // namespace headscope

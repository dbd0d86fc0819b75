#include "core/text/tokenizer/count_loops.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace headscope::tokenizers {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Scans an expression, tracking where the item that a quantifier would repeat begins.
class LoopCounter {
 public:
  explicit LoopCounter(std::string_view expression) : expression_(expression) {}

  std::string result() {
    while (at_ < expression_.size()) step();
    std::ranges::sort(opened_);
    std::string whole;
    std::size_t done = 0;
    for (const std::size_t at : opened_) {
      whole.append(result_, done, at - done).append("(?:");
      done = at;
    }
    return whole.append(result_, done);
  }

 private:
  static constexpr std::size_t nothing = std::string_view::npos;
  struct Group {
    std::size_t begin;
    bool looks_behind;
  };

  bool looks_behind() const { return behind_ > 0; }
  std::string_view rest() const { return expression_.substr(at_); }
  void take(std::size_t bytes) {
    result_ += expression_.substr(at_, bytes);
    at_ = std::min(at_ + bytes, expression_.size());
  }
  void take_atom(std::size_t bytes) {
    atom_ = result_.size();
    take(bytes);
  }

  void step() {
    const char c = expression_[at_];
    if (const std::size_t bytes = quantifier(); bytes > 0) return repeat(bytes);
    if (c == '\\') return escape();
    if (c == '[') return bracket();
    if (c == '(') return open();
    if (c == ')') return close();
    if (c == '|' || c == '^' || c == '$') {
      atom_ = nothing;
      return take(1);
    }
    std::size_t bytes = 1;
    while (at_ + bytes < expression_.size() &&
           (static_cast<unsigned char>(expression_[at_ + bytes]) & 0xC0U) == 0x80)
      ++bytes;
    take_atom(bytes);
  }

  // Length of a quantifier here; 0 if there is none. `many_` is set if it has no small bound.
  std::size_t quantifier() {
    const char c = expression_[at_];
    many_ = c == '*' || c == '+';
    if (many_ || c == '?') return 1;
    if (c != '{') return 0;
    constexpr std::size_t few_digits = 1;
    std::size_t bytes = 1, digits = 0, last = 0;
    bool comma = false;
    for (; bytes < rest().size() && (is_digit(rest()[bytes]) || (rest()[bytes] == ',' && !comma)); ++bytes) {
      comma = comma || rest()[bytes] == ',';
      digits += is_digit(rest()[bytes]) ? 1 : 0;
      last = is_digit(rest()[bytes]) ? last + 1 : 0;
    }
    if (digits == 0 || bytes >= rest().size() || rest()[bytes] != '}') return 0;
    many_ = last == 0 || last > few_digits;
    return bytes + 1;
  }

  void repeat(std::size_t bytes) {
    if (many_ && atom_ != nothing && !looks_behind()) {
      opened_.push_back(atom_);
      result_ += loop_callout;
      result_ += ')';
    }
    const bool interval = expression_[at_] == '{';
    take(bytes);
    // Lazy or possessive.
    if (at_ < expression_.size() && (expression_[at_] == '?' || (expression_[at_] == '+' && !interval)))
      take(1);
  }

  void escape() {
    const char kind = rest().size() > 1 ? rest()[1] : '\0';
    const auto to_end_of = [&](char open, char close) {
      const std::size_t end = rest().size() > 2 && rest()[2] == open ? rest().find(close, 3) : nothing;
      return end == nothing ? nothing : end + 1;
    };
    std::size_t bytes = 2;
    if (kind == 'p' || kind == 'P') bytes = to_end_of('{', '}');
    if (kind == 'k' || kind == 'g') bytes = std::min(to_end_of('<', '>'), to_end_of('\'', '\''));
    if (kind == 'x' && rest().substr(2, 1) == "{") {
      bytes = to_end_of('{', '}');
    } else if (kind == 'x' || kind == 'u') {
      const std::size_t maximum = kind == 'x' ? 4 : 6;
      while (bytes < maximum && bytes < rest().size() &&
             std::isxdigit(static_cast<unsigned char>(rest()[bytes])) != 0)
        ++bytes;
    }
    if (is_digit(kind))
      while (bytes < 4 && bytes < rest().size() && is_digit(rest()[bytes])) ++bytes;
    const bool is_unknown = bytes == nothing || kind == 'c' || kind == 'C' || kind == 'M' || kind == 'o';
    const bool refers = kind == 'k' || (kind >= '1' && kind <= '9');
    if (!is_unknown && bytes != nothing && (refers || kind == 'g') && !looks_behind())
      return counted(bytes, refers ? back_callout : loop_callout);
    take_atom(bytes == nothing ? 2 : bytes);
    if (is_unknown || is_digit(kind)) atom_ = nothing;
  }

  // Copies the callout and the next bytes, as one item unless it may be a number followed by something else.
  void counted(std::size_t bytes, std::string_view callout) {
    const bool whole = bytes == 2 || !is_digit(rest()[1]);
    atom_ = whole ? result_.size() : nothing;
    if (whole) result_ += "(?:";
    result_ += callout;
    take(bytes);
    if (whole) result_ += ')';
  }

  void bracket() {
    atom_ = result_.size();
    int depth = 0;
    do {
      const char c = expression_[at_];
      if (c == '\\') {
        take(2);
        continue;
      }
      if (depth > 0 && has_names_ && rest().starts_with("[:")) {
        const std::size_t name = rest().find(":]", 2);
        has_names_ = name != nothing;
        if (has_names_) {
          take(name + 2);
          continue;
        }
      }
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      take(1);
      if (c != '[') continue;
      if (rest().starts_with('^')) take(1);
      if (rest().starts_with(']')) take(1);
    } while (depth > 0 && at_ < expression_.size());
  }

  void open() {
    if (rest().starts_with("(?#")) return take(std::min(rest().find(')'), rest().size() - 1) + 1);
    const std::size_t begin = result_.size();
    if (rest().starts_with("(?~") && !looks_behind()) result_ += rest_callout;
    groups_.push_back({begin, rest().starts_with("(?<=") || rest().starts_with("(?<!")});
    behind_ += groups_.back().looks_behind ? 1 : 0;
    atom_ = nothing;
    const bool has_kind = rest().starts_with("(?") || rest().starts_with("(*");
    take(has_kind ? 2 : 1);
  }

  void close() {
    atom_ = groups_.empty() ? nothing : groups_.back().begin;
    if (!groups_.empty()) {
      behind_ -= groups_.back().looks_behind ? 1 : 0;
      groups_.pop_back();
    }
    take(1);
  }

  std::string_view expression_;
  std::size_t at_ = 0, atom_ = nothing;
  bool many_ = false;
  bool has_names_ = true;  // another ":]" may come
  std::vector<Group> groups_;
  int behind_ = 0;                   // of these, lookbehinds
  std::vector<std::size_t> opened_;  // where in the result an extra group is opened
  std::string result_;
};

}  // namespace

std::string count_loops(std::string_view expression) {
  return LoopCounter(expression).result();
}

}  // namespace headscope::tokenizers

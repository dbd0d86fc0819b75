#include "core/text/tokenizer/rewrite_pattern.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "core/base/utf8.h"
#include "core/text/tokenizer/characters.h"

namespace headscope::tokenizers {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Scans an expression, tracking where the item that a quantifier would repeat begins.
class PatternRewriter {
 public:
  PatternRewriter(std::string_view expression, bool widens, bool counts)
      : expression_(expression), widens_(widens), counts_(counts) {}

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
    if (c == '\\') return widened_class(0) ? void() : escape();
    if (c == '[') return bracket();
    if (c == '(') return open();
    if (c == ')') return close();
    if (c == '|' || c == '^' || c == '$') {
      atom_ = nothing;
      return take(1);
    }
    take_atom(code_point_end(expression_, at_) - at_);
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
    if (counts_ && many_ && atom_ != nothing && !looks_behind()) {
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
    if (!is_unknown && bytes != nothing && (refers || kind == 'g') && counts_ && !looks_behind())
      return counted(bytes, refers ? back_callout : loop_callout);
    take_atom(bytes == nothing ? 2 : bytes);
    if (is_unknown || is_digit(kind)) atom_ = nothing;
  }

  /// Writes the class of characters here, if it is one that has later ones, with them.
  bool widened_class(int depth) {
    const std::string_view kinds = "wWdDpP";
    const char kind = rest().size() > 1 ? rest()[1] : '\0';
    if (!widens_ || kinds.find(kind) == std::string_view::npos) return false;
    std::size_t bytes = 2;
    bool negated = kind < 'a';
    std::string category = kind == 'd' || kind == 'D' ? "Nd" : "\\w";
    if (kind == 'p' || kind == 'P') {
      const std::size_t end = rest().substr(2, 1) == "{" ? rest().find('}') : nothing;
      if (end == nothing) return false;
      category = rest().substr(3, end - 3);
      bytes = end + 1;
      if (category.starts_with('^')) {
        negated = !negated;
        category.erase(0, 1);
      }
    }
    std::string more = later(category);
    // Oniguruma includes these outside of brackets, but not inside.
    if (category == "\\w" && depth == 0) more.insert(0, R"(\x{b2}\x{b3}\x{b9}\x{bc}-\x{be})");
    if (more.empty()) return false;
    if (depth == 0) atom_ = result_.size();
    const bool own = negated || depth == 0;
    if (own) result_ += '[';
    take(bytes);
    // Neither the class nor the additional characters: an intersection, in its own brackets.
    result_ += negated ? "&&[^" + more + "]" : more;
    if (own) result_ += ']';
    return true;
  }

  /// Later characters of a category or \w; computed once per expression.
  const std::string& later(const std::string& category) {
    const auto [found, added] = later_.try_emplace(category);
    if (added) found->second = category == "\\w" ? later_word_characters() : later_characters(category);
    return found->second;
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
        if (!widened_class(depth)) take(2);
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
    if (counts_ && rest().starts_with("(?~") && !looks_behind()) result_ += rest_callout;
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
  bool widens_, counts_;
  std::size_t at_ = 0, atom_ = nothing;
  bool many_ = false;
  bool has_names_ = true;  // another ":]" may come
  std::vector<Group> groups_;
  int behind_ = 0;                   // of these, lookbehinds
  std::vector<std::size_t> opened_;  // where in the result an extra group is opened
  std::map<std::string, std::string> later_;
  std::string result_;
};

}  // namespace

std::string rewritten_pattern(std::string_view expression, bool adds_later_characters, bool counts_loops) {
  return PatternRewriter(expression, adds_later_characters, counts_loops).result();
}

}  // namespace headscope::tokenizers

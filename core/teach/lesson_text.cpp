#include "core/teach/lesson_text.h"

#include <md4c.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <exception>
#include <optional>

#include "core/base/utf8.h"
#include "core/figure/boards/formula.h"
#include "core/teach/documents.h"
#include "core/text/tokenizer/characters.h"

namespace headscope {
namespace {

// Private-use characters around the number of a formula or a live number while Markdown is read: the content
// of these is not Markdown (an asterisk is a product, a bar does not end a table's cell).
constexpr std::string_view span_opens = "\uE000", span_closes = "\uE001";

/// Punctuation of CommonMark, which decides whether a * beside it may begin or end emphasis.
bool is_sign(std::string_view character) {
  std::size_t at = 0;
  return !character.empty() &&
         tokenizers::is_punctuation(static_cast<char32_t>(next_code_point(character, at)));
}

/// Takes formulas and numbers in braces out of a text and puts placeholders in.
class Extraction {
 public:
  Extraction(std::string_view text, int line, Budget& budget, std::vector<LessonMistake>& mistakes)
      : text_(text), line_(line), budget_(budget), mistakes_(mistakes) {
    style_.measure = [](std::string_view part, double size) {
      return size * static_cast<double>(part.size());
    };
    while (at_ < text_.size() && mistakes_.size() < max_lesson_mistakes) step();
    copy(text_.size() - at_);
  }

  std::string markdown;
  std::vector<TextSpan> spans;

 private:
  void step() {
    const char c = text_[at_];
    if (at_line_begin() && fence()) return;
    if (c == '`') return code();
    if (c == '\\' && at_ + 1 < text_.size()) return copy(2);
    if (c == '*') return emphasis();
    if (c == '$' && formula()) return;
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("{{") || rest.starts_with("}}")) {
      // Escapes a character that Markdown would interpret.
      markdown += c;
      at_ += 2;
      return;
    }
    if (c == '{') return number();
    if (c == '}') mistake(input_error("there is a } without {; expected }} for a brace"));
    copy(1);
  }

  void copy(std::size_t bytes) {
    for (const char c : text_.substr(at_, bytes))
      if (c == '\n') ++line_;
    markdown += text_.substr(at_, bytes);
    at_ = std::min(at_ + bytes, text_.size());
  }
  bool at_line_begin() const { return at_ == 0 || text_[at_ - 1] == '\n'; }

  /// A whole block of code, which ends with a line of at least as many of its signs, or with the text.
  bool fence() {
    const std::size_t sign = std::min(text_.find_first_not_of(' ', at_), text_.size());
    if (sign - at_ > 3 || sign == text_.size() || (text_[sign] != '`' && text_[sign] != '~')) return false;
    const char mark = text_[sign];
    const std::size_t length = run(sign, mark);
    if (length < 3) return false;
    copy(line_end(at_) - at_);
    while (at_ < text_.size()) {
      const std::size_t begin = std::min(text_.find_first_not_of(' ', at_), text_.size()),
                        end = line_end(at_);
      const bool last = begin < text_.size() && begin - at_ <= 3 && run(begin, mark) >= length;
      copy(end - at_);
      if (last) break;
    }
    return true;
  }
  std::size_t line_end(std::size_t from) const {
    const std::size_t end = text_.find('\n', from);
    return end == std::string_view::npos ? text_.size() : end + 1;
  }
  std::size_t run(std::size_t from, char mark) const {
    return std::min(text_.find_first_not_of(mark, from), text_.size()) - from;
  }

  /// Between words and punctuation CommonMark lets *…* begin only before a word, and end only after one.
  /// Chinese has no blanks there, so that an invisible character, which is neither, lets it be both.
  void emphasis() {
    const std::size_t end = at_ + run(at_, '*');
    const std::string_view marks = text_.substr(at_, end - at_),
                           before = std::string_view(markdown).substr(last_character(markdown)),
                           after =
                               text_.substr(end, end < text_.size() ? code_point_end(text_, end) - end : 0);
    // A number or formula is no Markdown elsewhere.
    const bool taken_out = before == span_closes || after == "{" || after == "$";
    const bool closes = is_sign(before) && is_chinese(after) && !is_sign(after),
               opens = is_sign(after) && is_chinese(before) && !is_sign(before) && !taken_out;
    const auto join = [&] {
      TextSpan joint;
      joint.text = opens ? fmt::format("{}{}", marks, after) : fmt::format("{}{}", before, marks);
      put(std::move(joint), at_);
    };
    if (closes) join();
    copy(marks.size());
    if (opens) join();
  }

  /// A span of code, or only the signs if nothing closes it.
  void code() {
    constexpr std::size_t longest = 32;  // beyond it CommonMark's reader does not recognize code
    const std::size_t length = run(at_, '`'), paragraph = paragraph_end();
    std::size_t end = at_ + length;
    while (end < paragraph && length <= longest) {
      end = text_.find('`', end);
      if (end >= paragraph) break;
      const std::size_t other = run(end, '`');
      end += other;
      if (other == length) return copy(end - at_);
    }
    copy(length);
  }

  std::size_t paragraph_end() {
    if (paragraph_end_ <= at_) paragraph_end_ = std::min(text_.find("\n\n", at_), text_.size());
    return paragraph_end_;
  }

  /// $…$ and $$…$$, which begin and end next to a non-space; a sum of money is neither.
  bool formula() {
    const std::string_view sign = text_.substr(at_).starts_with("$$") ? "$$" : "$";
    const std::size_t begin = at_ + sign.size(), paragraph = paragraph_end();
    const bool display = sign.size() == 2;
    std::size_t& none_before = none_closes_before_[display ? 1 : 0];
    if (none_before == paragraph) return false;
    const auto space = [&](std::size_t at) { return text_[at] == ' ' || text_[at] == '\n'; };
    if (begin >= paragraph || (!display && space(begin))) return false;
    std::size_t end = begin;
    for (;;) {
      end = text_.find(sign, end);
      if (end >= paragraph) {
        none_before = paragraph;
        return false;
      }
      const bool escaped = text_[end - 1] == '\\';
      const std::size_t after = end + sign.size();
      const bool digit = after < text_.size() && text_[after] >= '0' && text_[after] <= '9';
      if (end > begin && !escaped && (display || (!space(end - 1) && !digit))) break;
      ++end;
    }
    TextSpan span;
    span.kind = display ? TextSpan::Kind::display : TextSpan::Kind::formula;
    span.text = text_.substr(begin, end - begin);
    std::ranges::replace(span.text, '\n', ' ');
    try {
      set_formula(span.text, style_, style_.font_size);
    } catch (const Error& error) {
      mistake(error);
    }
    put(std::move(span), end + sign.size());
    return true;
  }

  void number() {
    constexpr std::size_t longest = 4000;  // far more than an expression may have
    const std::size_t last = std::min(text_.size(), at_ + longest);
    std::size_t end = at_ + 1, colon = std::string_view::npos;
    char quote = 0;
    for (; end < last && text_[end] != '\n'; ++end) {
      const char c = text_[end];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == ':') {
        colon = end;
      } else if (c == '}') {
        break;
      }
    }
    if (end >= last || text_[end] != '}') {
      constexpr std::size_t reported = 60;
      mistake(input_error("{} is not closed; expected } on the same line, or {{ for a brace",
                          cut_off(printable(cut_off(text_.substr(at_, end - at_), reported)), reported)));
      return copy(1);
    }
    TextSpan span;
    span.kind = TextSpan::Kind::number;
    const std::size_t begin = at_ + 1, stop = std::min(colon, end);
    span.text = text_.substr(begin, stop - begin);
    try {
      span.value.emplace_back(span.text);
      if (colon < end) span.form = NumberForm(text_.substr(colon + 1, end - colon - 1));
    } catch (const Error& error) {
      mistake(error);
    }
    budget_.charge(span.text.size() + 1, 64);
    put(std::move(span), end + 1);
  }

  void put(TextSpan span, std::size_t end) {
    budget_.charge(1, sizeof(TextSpan) + span.text.size());
    span.line = line_;
    markdown += fmt::format("{}{}{}", span_opens, spans.size(), span_closes);
    spans.push_back(std::move(span));
    for (const char c : text_.substr(at_, end - at_))
      if (c == '\n') ++line_;
    at_ = end;
  }
  void mistake(Error error) {
    budget_.charge(1, 1000);
    mistakes_.push_back({line_, std::move(error)});
  }

  std::string_view text_;
  int line_;
  Budget& budget_;
  std::vector<LessonMistake>& mistakes_;
  BoardStyle style_;  // not for any screen: formulas are only checked for errors
  std::size_t at_ = 0, paragraph_end_ = 0;
  // The end of the paragraph in which no formula in $ or $$ ends any more: a sign there opens none.
  std::size_t none_closes_before_[2] = {0, 0};
};

/// Chinese punctuation, which has its own spacing: U+3000 to U+303F, and the full-width forms.
bool is_wide_sign(std::string_view character) {
  return character.starts_with("\xE3\x80") || character.starts_with("\xEF\xBC") ||
         character.starts_with("\xEF\xBD");
}

/// Builds the tree from md4c's callbacks.
class Tree {
 public:
  Tree(std::vector<TextSpan> taken_out, Budget& budget, std::vector<LessonMistake>* unportable)
      : taken_out_(std::move(taken_out)), budget_(budget), unportable_(unportable) {
    open_.push_back(&root_);
  }

  LessonText read(const std::string& markdown) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return guarded(self, [&](Tree& tree) { tree.enter(type, detail); });
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return guarded(self, [&](Tree& tree) { tree.leave(type); });
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      return guarded(self, [&](Tree& tree) {
        tree.style(type, 1);
        tree.begun_ = type == MD_SPAN_EM || type == MD_SPAN_STRONG;
        if (type != MD_SPAN_A) return;
        const MD_ATTRIBUTE& to = static_cast<const MD_SPAN_A_DETAIL*>(detail)->href;
        tree.link_ = followed({to.text, to.size});
      });
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      return guarded(self, [&](Tree& tree) {
        tree.style(type, -1);
        if (type == MD_SPAN_EM || type == MD_SPAN_STRONG) tree.report_joint();
        if (type == MD_SPAN_A) tree.link_.clear();
      });
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return guarded(self, [&](Tree& tree) { tree.add(type, {text, size}); });
    };
    md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, this);
    if (failure_) std::rethrow_exception(failure_);
    return {std::move(root_.children)};
  }

 private:
  // No exception may pass through C.
  template <typename Act>
  static int guarded(void* self, const Act& act) {
    Tree& tree = *static_cast<Tree*>(self);
    try {
      act(tree);
      return 0;
    } catch (...) {
      tree.failure_ = std::current_exception();
      return -1;
    }
  }

  /// None for what has no block of its own in the tree.
  static std::optional<TextBlock::Kind> kind_of(MD_BLOCKTYPE type) {
    using Kind = TextBlock::Kind;
    constexpr std::pair<MD_BLOCKTYPE, Kind> kinds[] = {
        {MD_BLOCK_QUOTE, Kind::quote}, {MD_BLOCK_UL, Kind::list},     {MD_BLOCK_OL, Kind::list},
        {MD_BLOCK_LI, Kind::item},     {MD_BLOCK_HR, Kind::rule},     {MD_BLOCK_H, Kind::heading},
        {MD_BLOCK_CODE, Kind::code},   {MD_BLOCK_P, Kind::paragraph}, {MD_BLOCK_TABLE, Kind::table},
        {MD_BLOCK_TR, Kind::row},      {MD_BLOCK_TH, Kind::cell},     {MD_BLOCK_TD, Kind::cell}};
    for (const auto& [block, kind] : kinds)
      if (block == type) return kind;
    return {};
  }
  void enter(MD_BLOCKTYPE type, const void* detail) {
    const auto kind = kind_of(type);
    if (!kind) return;
    TextBlock& block = open(*kind);
    if (type == MD_BLOCK_OL)
      block.first_number = std::min(static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start, 1'000'000U);
    if (*kind != TextBlock::Kind::cell) return;
    const MD_ALIGN align = static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align;
    block.align = align == MD_ALIGN_RIGHT    ? TextBlock::Align::right
                  : align == MD_ALIGN_CENTER ? TextBlock::Align::middle
                                             : TextBlock::Align::left;
  }
  void leave(MD_BLOCKTYPE type) {
    if (!kind_of(type)) return;
    open_.pop_back();
    soft_end_ = false;
  }
  TextBlock& open(TextBlock::Kind kind) {
    constexpr std::size_t deepest = 32;
    if (open_.size() > deepest) throw input_error("the text is nested more than {} levels deep", deepest);
    budget_.charge(2, sizeof(TextBlock));
    soft_end_ = false;
    TextBlock& block = open_.back()->children.emplace_back();
    block.kind = kind;
    open_.push_back(&block);
    return block;
  }

  /// A web address, or the name of a lesson or document; of any other link only its words are kept.
  static std::string followed(std::string_view address) {
    if (const DocumentRow* const document = document_at(address)) return document->name;
    constexpr std::size_t longest = 500;
    const bool web = address.starts_with("https://") || address.starts_with("http://");
    const auto fits = [&](char c) {
      const bool name = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
      return name || (web && c > ' ' && c < 0x7F &&
                      std::string_view("\"'<>\\`{}|^").find(c) == std::string_view::npos);
    };
    return address.size() <= longest && std::ranges::all_of(address, fits) ? std::string(address) : "";
  }

  void style(MD_SPANTYPE type, int by) {
    if (type == MD_SPAN_EM) emphasis_ += by;
    if (type == MD_SPAN_STRONG) strong_ += by;
    if (type == MD_SPAN_CODE) code_ += by;
  }

  void add(MD_TEXTTYPE type, std::string_view text) {
    joint_ = nullptr;
    add_of(type, text);
    begun_ = false;
  }
  void add_of(MD_TEXTTYPE type, std::string_view text) {
    // The text of a list item that has no paragraph around it.
    if (type == MD_TEXT_SOFTBR) {
      soft_end_ = true;
    } else if (type == MD_TEXT_BR) {
      append(TextSpan::Kind::line_break, "");
    } else if (type == MD_TEXT_NORMAL) {
      while (!text.empty()) {
        joint_ = nullptr;
        text.remove_prefix(piece(text));
        begun_ = false;
      }
    } else if (type == MD_TEXT_ENTITY) {
      write(entity(text));
    } else if (type == MD_TEXT_CODE) {
      open_.back()->kind == TextBlock::Kind::cell ? write(with_bars(text)) : write(text);
    }
  }
  /// In a cell of a table a bar is written \| also in code (GitHub Flavored Markdown, 4.10).
  static std::string with_bars(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at)
      if (!text.substr(at).starts_with("\\|")) result.push_back(text[at]);
    return result;
  }
  static std::string_view entity(std::string_view text) {
    for (const auto& [name, sign] : {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&amp;", "&"},
                                     std::pair{"&quot;", "\""}, std::pair{"&nbsp;", "\u00A0"}})
      if (text == name) return sign;
    return text;
  }

  /// Up to the next formula or number, or that one; returns how many bytes it was.
  std::size_t piece(std::string_view text) {
    const std::size_t open = text.find(span_opens);
    if (open != 0) {
      const std::size_t bytes = std::min(open, text.size());
      write(text.substr(0, bytes));
      return bytes;
    }
    std::size_t index = 0;
    const char* end = text.data() + text.size();
    const char* after = std::from_chars(text.data() + span_opens.size(), end, index).ptr;
    const std::size_t length = after - text.data();
    if (!text.substr(length).starts_with(span_closes) || index >= taken_out_.size()) return span_opens.size();
    if (const TextSpan& span = taken_out_[index]; span.kind == TextSpan::Kind::text) {
      joint_ = &span;
      if (begun_) report_joint();
    } else {
      space("x");
      append(span);
    }
    return length + span_closes.size();
  }

  /// Emphasis begins or ends at a joint, which CommonMark does not have.
  void report_joint() {
    if (joint_ == nullptr || unportable_ == nullptr) return;
    unportable_->push_back(
        {joint_->line, input_error("{} neither begins nor ends emphasis in CommonMark; expected the "
                                   "punctuation outside of the asterisks",
                                   joint_->text)});
    joint_ = nullptr;
  }

  void write(std::string_view text) {
    if (text.empty()) return;
    space(text);
    TextBlock& block = *open_.back();
    const auto kind = code_ > 0 ? TextSpan::Kind::code : TextSpan::Kind::text;
    budget_.charge(text.size());
    if (!block.spans.empty()) {
      TextSpan& last = block.spans.back();
      if (last.kind == kind && last.emphasis == (emphasis_ > 0) && last.strong == (strong_ > 0) &&
          last.link == link_) {
        last.text += text;
        return;
      }
    }
    append(kind, text);
  }
  void space(std::string_view next) {
    if (!std::exchange(soft_end_, false)) return;
    const auto& spans = open_.back()->spans;
    if (spans.empty() || spans.back().kind == TextSpan::Kind::line_break) return;
    const std::string& before = spans.back().text;
    const std::string_view end = std::string_view(before).substr(last_character(before));
    if (!before.empty() && ((is_chinese(end) && is_chinese(next)) || is_wide_sign(end) || is_wide_sign(next)))
      return;
    write(" ");
  }
  void append(TextSpan::Kind kind, std::string_view text) {
    TextSpan span;
    span.kind = kind;
    span.text = text;
    append(std::move(span));
  }
  void append(TextSpan span) {
    budget_.charge(2, sizeof(TextSpan));
    span.emphasis = emphasis_ > 0;
    span.strong = strong_ > 0;
    span.link = link_;
    open_.back()->spans.push_back(std::move(span));
  }

  std::vector<TextSpan> taken_out_;
  Budget& budget_;
  TextBlock root_;
  std::vector<TextBlock*> open_;  // the outermost first
  std::exception_ptr failure_;
  std::vector<LessonMistake>* unportable_;
  const TextSpan* joint_ = nullptr;  // directly before this place
  bool begun_ = false;               // emphasis, directly before this place
  int emphasis_ = 0, strong_ = 0, code_ = 0;
  std::string link_;
  bool soft_end_ = false;  // a line has ended, and no character has followed
};

/// For each bracket md4c walks through the lines of its paragraph.
std::optional<LessonMistake> too_many_brackets(std::string_view text, int line) {
  constexpr std::uint64_t max_walked = 2'000'000'000;
  std::uint64_t lines = 0, brackets = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view one = text.substr(begin, end - begin);
    begin = end + 1;
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) {
      lines = brackets = 0;
      continue;
    }
    ++lines;
    brackets += std::ranges::count(one, '[');
    if (lines * brackets > max_walked)
      return LessonMistake{
          line, input_error("a paragraph is too long (lines: {}, brackets: {}); expected a shorter one",
                            lines, brackets)};
  }
  return {};
}

void add_plain(const std::vector<TextBlock>& blocks, std::string& plain) {
  for (const TextBlock& block : blocks) {
    const bool words = block.kind != TextBlock::Kind::code;
    for (const TextSpan& span : block.spans) plain += words ? plain_span(span) : "_";
    add_plain(block.children, plain);
    plain += block.kind == TextBlock::Kind::cell ? " | " : "\n";
  }
}

}  // namespace

std::string plain_lines(std::string_view file, const std::string& path) {
  if (const std::size_t byte = find_invalid_utf8(file); byte != std::string_view::npos)
    throw input_error("{}: byte {} is not valid UTF-8", path, byte);
  constexpr std::string_view mark = "\uFEFF";
  if (file.starts_with(mark)) file.remove_prefix(mark.size());
  std::string result;
  result.reserve(file.size());
  for (std::size_t i = 0; i < file.size(); ++i)
    if (file[i] != '\r' || i + 1 >= file.size() || file[i + 1] != '\n') result += file[i];
  return result;
}

LessonText lesson_text(std::string_view markdown, int first_line, Budget& budget,
                       std::vector<LessonMistake>& mistakes, std::vector<LessonMistake>* unportable) {
  budget.charge(markdown.size(), 4);
  if (std::optional<LessonMistake> mistake = too_many_brackets(markdown, first_line)) {
    mistakes.push_back(*std::move(mistake));
    return {};
  }
  Extraction extraction(markdown, first_line, budget, mistakes);
  return Tree(std::move(extraction.spans), budget, unportable).read(extraction.markdown);
}

std::size_t blocks_before_references(const LessonText& text) {
  const std::vector<TextBlock>& blocks = text.blocks;
  for (std::size_t at = blocks.size(); at-- > 0;) {
    if (blocks[at].kind == TextBlock::Kind::heading) return at + 1 < blocks.size() ? at : blocks.size();
    bool links = true;
    const std::vector<TextBlock> one{blocks[at]};
    for_each_span(one, [&](const TextSpan& span) {
      links &= span.link.starts_with("https://") || trimmed(span.text) == "·" || trimmed(span.text).empty();
    });
    if (!links) break;
  }
  return blocks.size();
}

std::string_view plain_span(const TextSpan& span) {
  if (span.kind == TextSpan::Kind::number) return "#";
  return span.kind == TextSpan::Kind::text && span.link.empty() ? std::string_view(span.text) : "_";
}

std::string plain_text(const LessonText& text) {
  std::string plain;
  add_plain(text.blocks, plain);
  return plain;
}

}  // namespace headscope

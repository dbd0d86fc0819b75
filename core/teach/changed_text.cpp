#include "core/teach/changed_text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/utf8.h"
#include "core/teach/causal_words.h"
#include "core/teach/sentences.h"

namespace headscope {
namespace {

/// Of a token as a text names it.
std::string word_of(const Token& token) {
  std::string_view text = token.text;
  for (const std::string_view blank : {" ", "\u2581"})
    if (text.starts_with(blank)) text.remove_prefix(blank.size());
  return std::string(text);
}

/// All that is read, and written: whole and token by token.
struct Texts {
  explicit Texts(const LessonNumbers& numbers) {
    for (const bool side_b : {false, true}) {
      if (side_b && !numbers.compares()) break;
      const Trace& trace = numbers.trace(side_b);
      add(trace.inputs.sentence);
      if (trace.inputs.key_sentence) add(*trace.inputs.key_sentence);
      if (trace.inputs.target) add(*trace.inputs.target);
      for (const BlockTrace& block : trace.blocks) {
        std::string whole;
        for (const Token& token : block.tokens) {
          words.insert(word_of(token));
          whole += token.text;
        }
        add(whole);
      }
    }
  }
  bool have(const std::string& name) const {
    return words.contains(name) || all.find(name) != std::string::npos;
  }

  std::set<std::string> words;
  std::string all;

 private:
  void add(const std::string& text) { all += text + "\n"; }
};

/// The texts in quotation marks of an expression, without the number of "the#2".
void add_quoted(const std::string& expression, std::set<std::string>& names) {
  for (std::size_t at = expression.find('"'); at != std::string::npos; at = expression.find('"', at)) {
    const std::size_t begin = at + 1, end = expression.find('"', begin);
    if (end == std::string::npos) return;
    const std::string name = expression.substr(begin, end - begin);
    names.insert(name.substr(0, name.find('#', 1)));
    at = end + 1;
  }
}

/// What a sentence names: what it has in emphasis, code or quotation marks or its numbers are bound to, and
/// Chinese words in another language.
std::set<std::string> names_in(const Sentence& sentence) {
  std::set<std::string> names;
  std::string text;
  for (const TextSpan* span : sentence.spans) {
    const bool code = span->kind == TextSpan::Kind::code;
    if (span->kind == TextSpan::Kind::number) add_quoted(span->text, names);
    if (span->kind != TextSpan::Kind::text && !code) continue;
    text += span->text;
    if (code || span->emphasis) names.insert(span->text);
  }
  const std::string open = "“", close = "”";
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    const std::size_t begin = at + open.size(), end = text.find(close, begin);
    if (end == std::string::npos) break;
    names.insert(text.substr(begin, end - begin));
    at = end;
  }
  std::string run;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = code_point_end(text, at);
    const std::string character = text.substr(at, end - at);
    at = end;
    if (is_chinese(character) && character < "\uF000" && character > "\u3040") {
      run += character;
    } else if (!run.empty()) {
      names.insert(std::exchange(run, {}));
    }
  }
  if (!run.empty()) names.insert(run);
  return names;
}

bool names_word(const std::set<std::string>& names, const std::string& word) {
  return !word.empty() && std::ranges::any_of(names, [&](const std::string& name) {
    return name == word || (" " + name + " ").find(" " + word + " ") != std::string::npos;
  });
}

class Changes {
 public:
  Changes(const LessonStep& step, const LessonNumbers& now, Language language)
      : step_(step), now_(now), given_(now.given()), language_(language) {}

  bool concern(const Sentence& sentence) const {
    const std::set<std::string> names = names_in(sentence);
    return claims_fail(sentence, names) || numbers_fail(sentence, names) ||
           std::ranges::any_of(names, [&](const std::string& name) {
             return texts_given_.have(name) && !texts_now_.have(name);
           });
  }

 private:
  using Names = std::set<std::string>;

  bool claims_fail(const Sentence& sentence, const Names& names) const {
    const LessonNumbers now = now_.at(place_of(sentence, names));
    return std::ranges::any_of(step_.claims, [&](const LessonClaim& claim) {
      if (claim.quote == 0 || claim.with != 0) return false;
      const std::string& words = step_.quotes[claim.quote - 1].words[language_];
      return !words.empty() && sentence.plain.find(words) != std::string::npos && !holds(claim, now);
    });
  }
  bool holds(const LessonClaim& claim, const LessonNumbers& now) const {
    if (changes_parts(claim.expression)) return same_inputs_;
    try {
      return claim.expression.holds(now);
    } catch (const OverBudget&) {
      return same_inputs_;
    } catch (const Error&) {
      return false;
    }
  }

  /// What a sentence names stays what it is about, wherever the reader looks; the rest of it is about the
  /// cell that is locked.
  LessonNumbers::Place place_of(const Sentence& sentence, const Names& names) const {
    LessonNumbers::Place place = now_.place();
    const LessonNumbers::Place& given = given_.place();
    if (is_named('q', sentence, names)) place.query = where_now('q', given.query);
    if (is_named('k', sentence, names)) place.key = where_now('k', given.key);
    if (is_named('h', sentence, names)) place.head = given.head;
    if (is_named('l', sentence, names)) place.layer = given.layer;
    return place;
  }
  /// Of the step's query or key in the reader's text.
  std::optional<int> where_now(char place, std::optional<int> given) const {
    const std::string word = token_at(place, given_);
    const std::vector<Token>& tokens = tokens_of(place, now_);
    const auto is_it = [&](const Token& token) { return word_of(token) == word; };
    if (given && *given < std::ssize(tokens) && is_it(tokens[*given])) return given;
    const auto found = std::ranges::find_if(tokens, is_it);
    return found == tokens.end() ? given : static_cast<int>(found - tokens.begin());
  }

  bool numbers_fail(const Sentence& sentence, const Names& names) const {
    return std::ranges::any_of(sentence.spans, [&](const TextSpan* span) {
      if (span->kind != TextSpan::Kind::number || span->value.empty()) return false;
      const Expression& expression = span->value.front();
      if (changes_parts(expression) && same_inputs_) return false;
      const std::optional<double> now = value(expression, now_), given = value(expression, given_);
      if (!given) return false;
      if (!now) return true;
      return span->form(*now) != span->form(*given) &&
             std::ranges::any_of(expression.uses(), [&](const MeasureUse& use) {
               return std::ranges::any_of(
                   use.locked, [&](char place) { return moved_from_named(place, sentence, names); });
             });
    });
  }
  static std::optional<double> value(const Expression& expression, const LessonNumbers& numbers) {
    try {
      const double value = expression.evaluate(numbers);
      return std::isnan(value) ? std::nullopt : std::optional(value);
    } catch (const Error&) {
      return {};
    }
  }

  /// Whether the number is of another query, key, head or layer than the one that the sentence names.
  bool moved_from_named(char place, const Sentence& sentence, const Names& names) const {
    const LessonNumbers::Place &before = given_.place(), &after = now_.place();
    const bool moved = place == 'q'   ? before.query != after.query
                       : place == 'k' ? before.key != after.key
                       : place == 'h' ? before.head != after.head
                                      : before.layer != after.layer;
    const bool renamed = token_at(place, given_) != token_at(place, now_);
    return (moved || renamed) && is_named(place, sentence, names);
  }
  static const std::vector<Token>& tokens_of(char place, const LessonNumbers& numbers) {
    const BlockTrace& block = numbers.block(false);
    return place == 'q' ? block.tokens : block.key_tokens;
  }
  /// Of the locked query or key; of a head or a layer nothing.
  static std::string token_at(char place, const LessonNumbers& numbers) {
    if (place != 'q' && place != 'k') return "";
    const std::vector<Token>& tokens = tokens_of(place, numbers);
    const std::optional<int> at = place == 'q' ? numbers.place().query : numbers.place().key;
    return at && *at < std::ssize(tokens) ? word_of(tokens[*at]) : std::string();
  }
  /// Whether a sentence names the query, key, head or layer that the step has locked.
  bool is_named(char place, const Sentence& sentence, const Names& names) const {
    if (place == 'q' || place == 'k') return names_word(names, token_at(place, given_));
    const std::optional<int> was = place == 'h' ? given_.place().head : given_.place().layer;
    if (!was) return false;
    const std::string number = std::to_string(*was + 1);
    const auto names_number = [&](const std::string& front) {
      const std::size_t at = sentence.plain.find(front + number);
      const std::size_t end = at + front.size() + number.size();
      return at != std::string::npos &&
             (end >= sentence.plain.size() || std::isdigit(sentence.plain[end]) == 0);
    };
    return std::ranges::any_of(place == 'h' ? std::vector<std::string>{"ead ", "头 ", "第 "}
                                            : std::vector<std::string>{"ayer ", "第 ", "层 "},
                               names_number);
  }

  const LessonStep& step_;
  const LessonNumbers& now_;
  const LessonNumbers& given_;
  Language language_;
  Texts texts_now_{now_}, texts_given_{given_};
  bool same_inputs_ = now_.trace(false).inputs == given_.trace(false).inputs;
};

/// The last span of each sentence that is to be marked, and all of its spans are.
void mark(LessonText& text, const Changes& changes, std::set<const TextSpan*>& last) {
  for (const Sentence& sentence : divide_sentences(text)) {
    if (trimmed(sentence.plain).empty() || !changes.concern(sentence)) continue;
    for (TextSpan* span : sentence.spans) span->changed = true;
    last.insert(sentence.spans.back());
  }
}

void add_words(std::vector<TextBlock>& blocks, const std::set<const TextSpan*>& last,
               const std::string& word) {
  for (TextBlock& block : blocks) {
    std::vector<TextSpan> spans;
    for (std::size_t i = 0; i < block.spans.size(); ++i) {
      TextSpan& span = block.spans[i];
      const bool ends = last.contains(&span);
      // Chinese has no blank between sentences.
      const bool joined = i + 1 < block.spans.size() && !block.spans[i + 1].text.starts_with(' ');
      const int line = span.line;
      spans.push_back(std::move(span));
      if (!ends) continue;
      TextSpan blank, back;
      blank.text = " ";
      blank.changed = true;
      back.text = word;
      back.link = way_back;
      back.line = line;
      back.changed = true;
      spans.insert(spans.end(), {blank, back});
      if (joined) spans.push_back(blank);
    }
    block.spans = std::move(spans);
    add_words(block.children, last, word);
  }
}

}  // namespace

LessonText with_changes(const LessonText& text, Language language, const LessonStep& step,
                        const LessonNumbers& now, const std::string& word) {
  LessonText changed = text;
  if (&now.given() == &now || !now.trace(false).blocks.front().layer_count()) return changed;
  std::set<const TextSpan*> last;
  mark(changed, Changes(step, now, language), last);
  add_words(changed.blocks, last, word);
  return changed;
}

}  // namespace headscope

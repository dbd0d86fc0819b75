#include "core/teach/causal_words.h"

#include <algorithm>
#include <array>

#include "core/base/utf8.h"
#include "core/inputs/fields.h"

namespace headscope {
namespace {

/// One meaning a row, with its forms in each language.
const std::array causal_forms{
    InLanguages<std::vector<std::string>>{{{{"because"}, {"因为", "由于"}}}},
    InLanguages<std::vector<std::string>>{{{{"decide", "decides", "decided", "deciding"}, {"决定"}}}},
    InLanguages<std::vector<std::string>>{
        {{{"carry", "carries", "carried", "carrying"}, {"承载", "携带", "带来"}}}},
    InLanguages<std::vector<std::string>>{{{{"need", "needs", "needed", "needing"}, {"需要"}}}},
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return text;
}

/// Without what is in quotation marks.
std::string unquoted(const std::string& text, const std::string& open, const std::string& close) {
  std::string rest;
  std::size_t at = 0;
  for (;;) {
    const std::size_t begin = text.find(open, at);
    const std::size_t end = begin == std::string::npos ? begin : text.find(close, begin + open.size());
    if (end == std::string::npos) return rest + text.substr(at);
    rest += text.substr(at, begin - at) + "_";
    at = end + close.size();
  }
}

bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (!is_letter(word.front())) return true;
    const std::size_t end = at + word.size();
    const bool part = (at > 0 && is_letter(text[at - 1])) || (end < text.size() && is_letter(text[end]));
    // "need not" and "need never" say that something may be otherwise.
    if (!part && text.substr(end, 4) != " not" && text.substr(end, 6) != " never") return true;
  }
  return false;
}

bool is_question(std::string_view plain) {
  while (!plain.empty() && (plain.back() == ' ' || plain.back() == '\n')) plain.remove_suffix(1);
  return plain.ends_with('?') || plain.ends_with("？");
}

bool is_seed(const InputField& field) {
  return field.member == InputField::Member(&Inputs::seed) ||
         field.member == InputField::Member(&Inputs::dropout_seed);
}
bool differ(const Inputs& a, const Inputs& b) {
  return std::ranges::any_of(input_fields(), [&](const InputField& field) {
    return !is_seed(field) &&
           std::visit([&](auto member) { return !(a.*member == b.*member); }, field.member);
  });
}

bool is_marked(const LessonStep& step, const std::string& plain, Language language) {
  return std::ranges::any_of(step.quotes, [&](const LessonQuote& quote) {
    const std::string& quoted = quote.words[language];
    return quote.kind != LessonQuote::Kind::words && !quoted.empty() &&
           plain.find(quoted) != std::string::npos;
  });
}

}  // namespace

std::vector<std::string> causal_words(const Sentence& sentence, Language language) {
  if (is_question(sentence.plain)) return {};
  std::string text;
  for (const TextSpan* span : sentence.spans) {
    const bool words = span->kind == TextSpan::Kind::text && span->link.empty() && !span->emphasis;
    text += (words ? span->text : "_") + "|";  // cells of a row are apart
  }
  text = lower_case(unquoted(unquoted(text, "“", "”"), "\"", "\""));
  std::vector<std::string> found;
  for (const auto& meaning : causal_forms)
    std::ranges::copy_if(meaning[language], std::back_inserter(found),
                         [&](const std::string& word) { return has_word(text, word); });
  return found;
}

bool changes_parts(const Expression& expression) {
  return std::ranges::any_of(expression.uses(), [](const MeasureUse& use) {
    return use.name.starts_with("knock_out") || use.name.starts_with("recovered") || use.name == "path";
  });
}

bool is_experiment(const LessonStep& step, const LessonClaim& claim) {
  if (changes_parts(claim.expression)) return true;
  const bool both = std::ranges::any_of(
      claim.expression.uses(), [](const MeasureUse& use) { return use.side_b || use.name == "difference"; });
  const auto compares = [&](const Session& session) {
    return both && session.compare && differ(*session.compare, session.inputs);
  };
  if (claim.with == 0) return compares(step.session);
  return std::ranges::any_of(step.withs[claim.with - 1].sessions, [&](const Session& session) {
    return differ(session.inputs, step.session.inputs) || compares(session);
  });
}

std::vector<LessonMistake> unmarked_causes(const Lesson& lesson, Budget& budget) {
  std::vector<LessonMistake> mistakes;
  const auto check = [&](int line, const InLanguages<LessonText>& text,
                         const std::vector<const LessonStep*>& steps) {
    for (const LanguageRow& row : languages()) {
      LessonText divided = text[row.language];
      for (const Sentence& sentence : divide_sentences(divided)) {
        const std::vector<std::string> found = causal_words(sentence, row.language);
        if (found.empty() || mistakes.size() >= max_lesson_mistakes) continue;
        const auto marked = [&](const LessonStep* step) {
          budget.charge(sentence.plain.size(), step->quotes.size());
          return is_marked(*step, sentence.plain, row.language);
        };
        if (std::ranges::any_of(steps, marked)) continue;
        constexpr std::size_t shown = 120;
        mistakes.push_back(
            {line, input_error("“{}” is in a sentence that no claim marks ({}); expected > because: "
                               "or > by definition: with words of it",
                               found.front(), cut_off(printable(trimmed(sentence.plain)), shown))});
      }
    }
  };
  std::vector<const LessonStep*> all;
  for (const LessonStep& step : lesson.steps) all.push_back(&step);
  if (!all.empty()) check(all.front()->line, lesson.text, all);
  for (const LessonStep& step : lesson.steps)
    for (const InLanguages<LessonText>* text : texts_of(step)) check(step.line, *text, {&step});
  return mistakes;
}

}  // namespace headscope

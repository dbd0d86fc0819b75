#include <algorithm>
#include <array>
#include <set>

#include "core/base/utf8.h"
#include "core/io/file.h"
#include "core/teach/causal_words.h"
#include "core/teach/lesson.h"
#include "core/teach/lesson_state.h"
#include "core/teach/lesson_text.h"

namespace headscope {
namespace {

/// "Title | 标题", in the order of Language; a single one is used for all. A bar in a title is written \|.
InLanguages<std::string> titles(std::string_view heading) {
  const auto title = [](std::string_view part) {
    part = trimmed(part);
    std::string text;
    for (std::size_t i = 0; i < part.size(); ++i)
      if (!part.substr(i).starts_with("\\|")) text += part[i];
    return text;
  };
  InLanguages<std::string> all;
  for (std::string& one : all.each) {
    const std::size_t bar = &one == &all.each.back() ? std::string_view::npos : heading.find(" | ");
    one = title(heading.substr(0, bar));
    if (bar != std::string_view::npos) heading.remove_prefix(bar + 3);
  }
  return all;
}

/// A text and an answer in each language, a number to predict, a state that answers it, and how to tell.
std::vector<std::string> question_fields() {
  std::vector<std::string> names;
  for (const char* of : {"", "answer-"})
    for (const LanguageRow& row : languages()) names.push_back(std::string(of) + row.code);
  names.insert(names.end(), {"number", "solution", "check"});
  return names;
}

/// Goes through the lines and keeps track of what they are part of.
class LessonReader {
 public:
  LessonReader(std::string_view text, Budget& budget) : text_(text), budget_(budget), states_(budget) {}

  ReadLesson read() {
    while (next_line()) {
      if (result_.mistakes.size() >= max_lesson_mistakes) break;
      take_line();
    }
    end_step();
    if (!titled_) mistake(1, input_error("there is no title; expected a line # Title | 标题"));
    if (lesson_.steps.empty())
      mistake(std::max(line_, 1), input_error("there is no step; expected a heading ## Title | 标题"));
    // Who marks some of them has looked at them.
    const auto marks = [](const LessonStep& step) {
      return std::ranges::any_of(
          step.quotes, [](const LessonQuote& quote) { return quote.kind != LessonQuote::Kind::words; });
    };
    if (std::ranges::any_of(lesson_.steps, marks))
      std::ranges::move(unmarked_causes(lesson_, budget_), std::back_inserter(lesson_.flaws));
    std::ranges::stable_sort(lesson_.flaws, {}, &LessonMistake::line);
    std::ranges::stable_sort(result_.mistakes, {}, &LessonMistake::line);
    return std::move(result_);
  }

 private:
  static constexpr std::string_view notes_mark = "Notes:";

  struct Section {
    InLanguages<LessonText>* text = nullptr;
    Language language{};
    std::string markdown;
    int first_line = 0;
  };

  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    current_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    if (current_.find('\0') != std::string_view::npos)
      mistake(line_, input_error("there is a NUL character; expected text"));
    return true;
  }

  void take_line() {
    if (const std::string_view mark = fence_of(current_); !mark.empty()) return take_fence(mark);
    if (current_.starts_with("# ")) return take_title();
    if (current_.starts_with("## ")) return take_step();
    if (current_.starts_with("### ")) return take_language();
    add_text();
  }

  /// The signs that open a block of code, or nothing.
  static std::string_view fence_of(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos || begin > 3 || (line[begin] != '`' && line[begin] != '~')) return {};
    const std::size_t end = std::min(line.find_first_not_of(line[begin], begin), line.size());
    const std::string_view mark = line.substr(begin, end - begin);
    // A span of code within a line does not count.
    if (mark.size() < 3 || (mark[0] == '`' && line.find('`', end) != std::string_view::npos)) return {};
    return mark;
  }

  void take_fence(std::string_view mark) {
    const int opened = line_;
    const std::string_view after = current_.substr(current_.find(mark) + mark.size());
    const std::string kind(trimmed(after));
    const bool ours = kind == "state" || kind == "question" || kind == "claims";
    if (kind == "claim" || kind == "states" || kind == "questions")
      mistake(line_, input_error("a block {} is not known; expected state, question or claims", kind));
    if (!ours) add_text();
    std::string inside;
    bool closed = false;
    while (!closed && next_line()) {
      const std::string_view end = fence_of(current_);
      closed = end.starts_with(mark) && trimmed(current_) == end;
      if (!ours)
        add_text();
      else if (!closed)
        inside += std::string(current_) + "\n";
    }
    if (!closed)
      mistake(opened, input_error("the block {} has no end; expected a line {}",
                                  kind.empty() ? "of code" : kind, mark));
    if (!ours) return;
    end_section();
    if (step_ == nullptr)
      return mistake(
          opened,
          input_error("there is a block {} before the first step; expected a heading ## Title | 标题", kind));
    if (kind == "state")
      take_state(inside, opened);
    else if (kind == "question")
      take_question(inside, opened);
    else
      take_claims(inside, opened);
  }

  void take_title() {
    end_section();
    if (titled_ || step_ != nullptr)
      return mistake(line_, input_error("there is a second title; expected one line # at the top"));
    titled_ = true;
    lesson_.title = read_title(current_.substr(2), line_, result_.mistakes);
  }

  void take_step() {
    end_step();
    budget_.charge(2, sizeof(LessonStep));
    step_ = &lesson_.steps.emplace_back();
    step_->line = line_;
    step_->title = read_title(current_.substr(3), line_, result_.mistakes);
  }
  void end_step() {
    end_section();
    if (step_ == nullptr) return;
    states_.give(*step_);
    // Based on the state of its step, which may come after the question.
    for (std::size_t i = 0; i < step_->questions.size(); ++i)
      if (LessonQuestion& question = step_->questions[i]; question.solution_line != 0)
        question.solution = states_.aside(solutions_[i], question.solution_line, result_.mistakes);
    solutions_.clear();
    for (LessonWith& with : step_->withs)
      with.sessions = states_.several(with.json, with.line, result_.mistakes);
    check_quotes();
    check_experiments();
    step_ = nullptr;
  }

  void take_language() {
    end_section();
    const std::string_view name = trimmed(current_.substr(4));
    const auto language = std::ranges::find(languages(), name, &LanguageRow::name);
    if (language == languages().end())
      return mistake(line_, input_error("there is a heading ### {}; expected ### English or ### 中文",
                                        cut_off(printable(name), 60)));
    section_.text = step_ != nullptr ? &step_->text : &lesson_.text;
    section_.language = language->language;
    section_.first_line = line_ + 1;
    if (section_.text->has(section_.language))
      mistake(line_, input_error("there is a second ### {}; expected one in a step", name));
  }
  void add_text() {
    constexpr std::string_view quote = "> ";
    if (section_.text != nullptr) {
      section_.markdown += std::string(current_) + "\n";
    } else if (step_ != nullptr && current_.starts_with(quote)) {
      take_claim(read_title(current_.substr(quote.size()), line_, result_.mistakes));
    } else if (!trimmed(current_).empty() && line_ > reported_ + 1) {
      mistake(line_,
              input_error("there is text outside of a language; expected ### English or ### 中文 before it"));
      reported_ = line_;
    } else if (!trimmed(current_).empty()) {
      reported_ = line_;
    }
  }
  void end_section() {
    const Section section = std::exchange(section_, {});
    if (section.text == nullptr) return;
    const std::size_t notes = step_ == nullptr ? std::string::npos : find_notes(section.markdown);
    (*section.text)[section.language] = text(section.markdown.substr(0, notes), section.first_line);
    if (notes == std::string::npos) return;
    const auto before = std::ranges::count(section.markdown.substr(0, notes), '\n');
    step_->notes[section.language] = text(section.markdown.substr(notes + notes_mark.size()),
                                          section.first_line + static_cast<int>(before));
  }
  /// Where a line begins the notes, which go on to the end of the text.
  static std::size_t find_notes(const std::string& markdown) {
    if (markdown.starts_with(notes_mark)) return 0;
    const std::size_t found = markdown.find("\n" + std::string(notes_mark));
    return found == std::string::npos ? found : found + 1;
  }
  LessonText text(std::string_view markdown, int line) {
    LessonText text;
    guarded(result_.mistakes, line,
            [&] { text = lesson_text(markdown, line, budget_, result_.mistakes, &lesson_.flaws); });
    return text;
  }

  void take_claim(const InLanguages<std::string>& claim) {
    if (!step_->claim.empty())
      return mistake(line_, input_error("there is a second line > for an audience; expected one in a step"));
    std::ranges::transform(claim.each, step_->claim.each.begin(),
                           [this](const std::string& one) { return text(one, line_); });
  }

  void take_state(const std::string& inside, int opened) {
    if (step_->state_line != 0)
      return mistake(opened, input_error("there is a second block {}; expected one in a step", "state"));
    step_->state_line = opened;
    states_.read(inside, opened + 1, *step_, result_.mistakes);
  }

  std::optional<Expression> condition(std::string_view text, int line) {
    budget_.charge(text.size() + 1, 64);
    std::optional<Expression> condition;
    guarded(result_.mistakes, line, [&] {
      const Expression expression(trimmed(text));
      if (!expression.is_condition())
        throw input_error("{} is a number; expected a comparison such as {} > 0.5", expression.text(),
                          expression.text());
      condition = expression;
    });
    return condition;
  }
  std::optional<LessonClaim> claim(std::string_view text, int line) {
    const std::optional<Expression> expression = condition(text, line);
    return expression ? std::optional(LessonClaim{line, *expression}) : std::nullopt;
  }
  /// A quote in two languages is checked in both, if the step has both.
  void check_quotes() {
    const std::vector<LessonQuote>& quotes = step_->quotes;
    if (quotes.empty()) return;
    for (const LanguageRow& row : languages()) {
      const Language language = row.language;
      if (!step_->text.has(language)) continue;
      std::string text;
      for (const InLanguages<LessonText>* one : texts_to_quote(lesson_, *step_))
        text += plain_text(one->in(language)) + "\n";
      for (const LessonQuote& quote : quotes) {
        budget_.charge(text.size());
        const std::string_view words = quote.words[language];
        if (text.find(words) == std::string::npos)
          mistake(quote.line,
                  input_error("the step's text does not have “{}”; expected words of one sentence of it",
                              cut_off(printable(words), 60)));
      }
    }
  }
  /// That a part causes something follows from no map.
  void check_experiments() {
    for (std::size_t i = 0; i < step_->quotes.size(); ++i) {
      if (step_->quotes[i].kind != LessonQuote::Kind::because) continue;
      if (std::ranges::none_of(step_->claims, [&](const LessonClaim& claim) {
            return claim.quote == i + 1 && is_experiment(*step_, claim);
          }))
        mistake(
            step_->quotes[i].line,
            input_error("no claim behind because: tries a change; expected one with knock_out, recovered or "
                        "path, about another state, or about B"));
    }
  }
  static LessonQuote quote_of(std::string_view words, int line) {
    LessonQuote quote{line, LessonQuote::Kind::words, {}};
    for (const auto& [name, kind] : {std::pair{"because: ", LessonQuote::Kind::because},
                                     std::pair{"by definition: ", LessonQuote::Kind::definition}})
      if (words.starts_with(name)) {
        quote.kind = kind;
        words.remove_prefix(std::string_view(name).size());
      }
    quote.words = titles(words);
    return quote;
  }
  void take_claims(std::string_view inside, int opened) {
    std::size_t quoted = 0;       // LessonClaim::quote
    std::size_t with_states = 0;  // LessonClaim::with
    for (int line = opened + 1; !inside.empty(); ++line) {
      const std::size_t end = inside.find('\n');
      const std::string_view one = trimmed(inside.substr(0, end));
      inside.remove_prefix(end + 1);
      if (result_.mistakes.size() >= max_lesson_mistakes) return;
      if (constexpr std::string_view with = "with "; one.starts_with(with)) {
        step_->withs.push_back({line, std::string(one.substr(with.size())), {}});
        with_states = step_->withs.size();
      } else if (constexpr std::string_view quote = "> "; one.starts_with(quote)) {
        budget_.charge(1, sizeof(LessonQuote) + 64 * one.size());
        step_->quotes.push_back(quote_of(trimmed(one.substr(quote.size())), line));
        quoted = step_->quotes.size();
        with_states = 0;
      } else if (!one.empty()) {
        if (auto read = claim(one, line)) {
          read->with = with_states;
          read->quote = quoted;
          step_->claims.push_back(std::move(*read));
        }
      }
    }
  }

  void take_question(std::string_view inside, int opened) {
    constexpr std::size_t maximum = 20;
    if (step_->questions.size() == maximum)
      return mistake(opened,
                     input_error("there are more than {} questions; expected fewer in a step", maximum));
    budget_.charge(1, sizeof(LessonQuestion));
    LessonQuestion& question = step_->questions.emplace_back();
    std::string& solution_text = solutions_.emplace_back();
    question.line = opened;
    static const std::vector<std::string> names = question_fields();
    struct Field {
      int line = 0;
      std::string text;
    };
    std::vector<Field> fields(names.size());
    Field* field = nullptr;
    for (int line = opened + 1; !inside.empty(); ++line) {
      const std::size_t end = inside.find('\n');
      std::string_view one = inside.substr(0, end);
      inside.remove_prefix(end + 1);
      if (one.starts_with("- [")) {
        take_choice(one.substr(3), line, question);
        field = nullptr;
        continue;
      }
      const std::size_t word = std::min(one.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), one.size());
      if (word > 0 && word < one.size() && one[word] == ':') {
        const auto name = std::ranges::find(names, one.substr(0, word));
        if (name == names.end()) {
          mistake(line, input_error("a question has no {}; expected one of: en, zh, check, number, "
                                    "answer-en, answer-zh, solution",
                                    one.substr(0, word)));
          continue;
        }
        field = &fields[name - names.begin()];
        if (field->line != 0) mistake(line, input_error("{} is given twice; expected it once", *name));
        field->line = line;
        one.remove_prefix(word + 1);
      }
      if (field != nullptr)
        field->text += std::string(field->line == line ? trimmed(one) : one) + "\n";
      else if (!trimmed(one).empty())
        mistake(line,
                input_error("a question begins with {}; expected en: or zh:", cut_off(printable(one), 40)));
    }
    const auto in_a_line = [](std::string text) {
      std::ranges::replace(text, '\n', ' ');
      return text;
    };
    const auto read = [&](const Field& one, LessonText& into) {
      if (one.line != 0) into = text(one.text, one.line);
    };
    for (std::size_t i = 0; i < language_count; ++i) {
      read(fields[i], question.text.each[i]);
      read(fields[language_count + i], question.answer.each[i]);
    }
    if (question.text.empty()) mistake(opened, input_error("the question has no text; expected en: or zh:"));
    const Field &number = fields[2 * language_count], &solution = fields[2 * language_count + 1],
                &check = fields.back();
    if (solution.line != 0) {
      question.solution_line = solution.line;
      solution_text = solution.text;
    }
    if (check.line != 0) question.check = claim(in_a_line(check.text), check.line);
    if (number.line != 0) take_number(in_a_line(number.text), number.line, question);
    check_kind(question, check.line != 0, number.line != 0);
    if (check.line != 0 && solution.line == 0)
      lesson_.flaws.push_back({check.line, input_error("check: is not tried; expected solution: as well, a "
                                                       "state that makes it true")});
  }
  void check_kind(const LessonQuestion& question, bool checks, bool predicts) {
    const auto& choices = question.choices;
    if ((checks ? 1 : 0) + (predicts ? 1 : 0) + (choices.empty() ? 0 : 1) > 1)
      mistake(question.line,
              input_error("the question is of two kinds; expected check:, number: or choices alone"));
    if (choices.empty()) return;
    // One whose condition cannot be read may be right.
    const auto computed = [](const LessonChoice& choice) { return !choice.known || choice.when; };
    const auto right = std::ranges::count_if(choices, &LessonChoice::right);
    if (choices.size() < 2 || std::ssize(choices) > max_choices)
      mistake(question.line,
              input_error("there are {} choices; expected {} to {}", choices.size(), 2, max_choices));
    else if (std::ranges::none_of(choices, computed) && (right == 0 || right == std::ssize(choices)))
      mistake(question.line, input_error("{} of {} choices are right; expected some right and some wrong",
                                         right, choices.size()));
  }
  /// "x] English | 中文", with a blank or a condition in place of the x.
  void take_choice(std::string_view line, int number, LessonQuestion& question) {
    const std::size_t end = line.find("] ");
    budget_.charge(1, sizeof(LessonChoice));
    LessonChoice& choice = question.choices.emplace_back();
    choice.line = number;
    if (end == std::string_view::npos || trimmed(line.substr(end + 2)).empty()) {
      choice.known = false;
      return mistake(number,
                     input_error("a choice is {}; expected - [ ] English | 中文, with an x if it is right",
                                 cut_off(printable(line), 60)));
    }
    const std::string_view mark = trimmed(line.substr(0, end));
    choice.right = mark == "x" || mark == "X";
    if (!choice.right && !mark.empty()) choice.when = condition(mark, number);
    choice.known = choice.right || mark.empty() || choice.when;
    const InLanguages<std::string> words = titles(line.substr(end + 2));
    std::ranges::transform(words.each, choice.text.each.begin(),
                           [&](const std::string& one) { return text(one, number); });
  }
  /// "expression ± how far off it may be"
  void take_number(std::string_view written, int line, LessonQuestion& question) {
    std::size_t sign = written.rfind("±"), bytes = std::string_view("±").size();
    if (sign == std::string_view::npos) sign = written.rfind("+-"), bytes = 2;
    budget_.charge(written.size() + 1, 64);
    guarded(result_.mistakes, line, [&] {
      if (sign == std::string_view::npos)
        throw input_error("{} has no ±; expected how far off an answer may be, such as {} ± 0.05",
                          trimmed(written), trimmed(written));
      const Expression value(trimmed(written.substr(0, sign))), within(trimmed(written.substr(sign + bytes)));
      for (const Expression& one : {value, within})
        if (one.is_condition()) throw input_error("{} is a comparison; expected a number", one.text());
      question.number = LessonNumber{line, value, within};
    });
  }

  void mistake(int line, Error error) { result_.mistakes.push_back({line, std::move(error)}); }

  std::string_view text_;
  Budget& budget_;
  LessonStates states_;
  ReadLesson result_;
  Lesson& lesson_ = result_.lesson;
  LessonStep* step_ = nullptr;          // the last one, while it is read
  std::vector<std::string> solutions_;  // of its questions
  Section section_;
  std::size_t at_ = 0;
  std::string_view current_;
  int line_ = 0;
  int reported_ = -1;  // the line before which text outside was reported
  bool titled_ = false;
};

}  // namespace

bool is_asked(const LessonStep& step, const Expression& number) {
  const auto spelled = [](const Expression& one) {
    std::string text = one.text();
    std::erase(text, ' ');
    return text;
  };
  return std::ranges::any_of(step.questions, [&](const LessonQuestion& question) {
    return question.number && spelled(question.number->value) == spelled(number);
  });
}

bool asks_for_shown(const LessonQuestion& question) {
  static const std::set<std::string> shown{"weight",      "max_weight",  "score",      "masked",
                                           "exponential", "probability", "parameters", "multiplications"};
  return question.number && std::ranges::any_of(question.number->value.uses(), [](const MeasureUse& use) {
           return shown.contains(use.name);
         });
}

std::vector<const InLanguages<LessonText>*> texts_of(const LessonStep& step) {
  std::vector<const InLanguages<LessonText>*> texts{&step.text, &step.claim};
  for (const LessonQuestion& question : step.questions) {
    texts.insert(texts.end(), {&question.text, &question.answer});
    for (const LessonChoice& choice : question.choices) texts.push_back(&choice.text);
  }
  return texts;
}
std::vector<const InLanguages<LessonText>*> texts_to_quote(const Lesson& lesson, const LessonStep& step) {
  std::vector<const InLanguages<LessonText>*> texts = texts_of(step);
  texts.push_back(&lesson.text);
  return texts;
}

InLanguages<std::string> read_title(std::string_view heading, int line,
                                    std::vector<LessonMistake>& mistakes) {
  InLanguages<std::string> title = titles(heading);
  if (std::ranges::any_of(title.each, &std::string::empty))
    mistakes.push_back({line, input_error("the title is empty; expected English | 中文, or one of them")});
  constexpr std::size_t longest = 1000, excerpt = 60;
  const std::size_t bytes = std::ranges::max(title.each, {}, &std::string::size).size();
  if (bytes <= longest) return title;
  mistakes.push_back({line, input_error("the title has {} bytes; expected at most {}", bytes, longest)});
  for (std::string& one : title.each) one = cut_off(one, excerpt);
  return title;
}

InLanguages<std::string> lesson_title(std::string_view markdown) {
  constexpr std::string_view mark = "# ";
  if (!markdown.starts_with(mark)) return {};
  return titles(markdown.substr(mark.size(), markdown.find('\n') - mark.size()));
}

bool Lesson::has(Language language) const {
  return text.has(language) || std::ranges::any_of(steps, [&](const LessonStep& step) {
           return step.text.has(language) ||
                  std::ranges::any_of(step.questions, [&](const LessonQuestion& question) {
                    return question.text.has(language);
                  });
         });
}

ReadLesson read_lesson(std::string_view markdown, const std::string& path) {
  const std::string text = plain_lines(markdown, path);
  Budget budget(path, markdown.size());
  ReadLesson result = LessonReader(text, budget).read();
  for (LessonStep& step : result.lesson.steps) {
    find_files(step.session, path);
    for (LessonQuestion& question : step.questions)
      if (question.solution) find_files(*question.solution, path);
    for (LessonWith& with : step.withs)
      for (Session& session : with.sessions) find_files(session, path);
  }
  return result;
}

ReadLesson read_lesson_file(const std::string& path) {
  return read_lesson(read_file(path, max_lesson_bytes), path);
}

Error in_file(const LessonMistake& mistake, const std::string& path) {
  if (mistake.line == 0) return mistake.error;
  return mistake.error.at_line(path, mistake.line);
}

Error first_of(const std::vector<LessonMistake>& mistakes, const std::string& path, const Translator& tr) {
  Error first = in_file(mistakes.front(), path);
  const std::size_t more = mistakes.size() - 1;
  if (more == 0) return first;
  // However long it is, the number of the others is to be seen.
  constexpr std::size_t longest = 400;
  return input_error("{} ({})", cut_off(tr(first), longest),
                     tr.plural("{} more mistake", "{} more mistakes", more));
}

Lesson load_lesson(const std::string& path) {
  ReadLesson read = read_lesson_file(path);
  if (!read.mistakes.empty()) throw in_file(read.mistakes.front(), path);
  return std::move(read.lesson);
}

}  // namespace headscope

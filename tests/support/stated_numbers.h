#pragma once
#include <fmt/ranges.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/teach/lesson.h"
#include "core/teach/lesson_text.h"
#include "core/teach/sentences.h"

namespace headscope::tests {

// The numbers and comparisons that a lesson's sentences state, and the claims that quote them. A live number
// is computed and needs no claim.

/// Compiled once: that takes longer than a sentence.
inline const std::regex& compiled(const std::string& pattern) {
  static std::map<std::string, std::regex> known;
  const auto found = known.find(pattern);
  return found != known.end() ? found->second
                              : known.emplace(pattern, std::regex(pattern, std::regex::icase)).first->second;
}

inline std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex& wanted = compiled(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), wanted), end; at != end; ++at)
    found.push_back(at->str());
  return found;
}

inline double number_in(std::string text) {
  std::erase(text, ',');
  return std::stod(text);
}

/// A head, a layer, a token by its number, from 1: a position, not a statement.
inline const char* const places_en =
    "\\b(heads?|layers?|tokens?|rows?|query|keys?|place) [0-9]+((, | and | to )[0-9]+)*";
inline const char* const places_zh = "(头|词元|键|查询|第) [0-9]+(、[0-9]+)*";

inline const char* const comparing_en =
    "\\b(larger|smaller|fewer|higher|lower|greater|sharper|slower|faster|wider|longer|shorter|less|more)"
    "( [a-z]+){0,3} than\\b|\\b(larger|smaller|higher|lower|greater|twice|double|equal|as many|as "
    "much|outweighs?)\\b|\\bfewer\\b|\\b(at (the "
    ")?(most|least)|largest|smallest|longest|hardly|nearly)\\b|"
    "\\b(over|under|above|below) [0-9]|\\b(falls? (from|to)|rises?|shrinks?|times as)\\b|"
    "\\b(is|are|come out|stays?) the same\\b|: the same,|\\b(agree|are equal)\\b";
inline const char* const comparing_zh =
    "大于|小于|多于|少于|超过|至多|至少|最大|最小|最多|更大|更小|更多|更少|几乎|降到|降为|变大|变小|相等|"
    "完全相同|完全一致|热图相同";

/// Numerals that are written out, where they count or compare something: "six heads", "half", 四倍.
inline std::vector<double> numerals(std::string text, Language language) {
  static const std::map<std::string, double> en{
      {"two", 2},     {"three", 3},    {"four", 4},    {"five", 5},     {"six", 6},
      {"seven", 7},   {"eight", 8},    {"nine", 9},    {"ten", 10},     {"eleven", 11},
      {"twelve", 12}, {"sixteen", 16}, {"half", 2},    {"twice", 2},    {"halves", 2},
      {"third", 3},   {"thirds", 3},   {"quarter", 4}, {"quarters", 4}, {"thousand", 1000}};
  static const std::map<std::string, double> zh{
      {"两", 2}, {"二", 2},  {"三", 3},    {"四", 4},    {"五", 5},      {"六", 6},   {"七", 7},  {"八", 8},
      {"九", 9}, {"十", 10}, {"十二", 12}, {"十六", 16}, {"一千", 1000}, {"一半", 2}, {"大半", 2}};
  std::vector<double> values;
  const auto add = [&](const std::map<std::string, double>& names, const std::string& pattern) {
    const std::regex& wanted = compiled(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), wanted), end; at != end; ++at) {
      std::string name = (*at)[1].str();
      for (char& letter : name)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
      values.push_back(names.at(name));
    }
  };
  if (language == Language::en) {
    // Things mentioned before, and how many tutorials say so.
    text = std::regex_replace(text, compiled("\\b(the|these|those) two\\b"), "");
    text =
        std::regex_replace(text, compiled("\\b(two|three|five)( of the| other)? (tutorials|texts)\\b"), "");
    add(en, "\\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen|thousand)\\b");
    add(en, "\\b(half|halves|twice|thirds|quarters?)\\b");
  } else {
    text = std::regex_replace(text, compiled("第(一|二|三|四|五|六|七|八|九|十)+"), "");
    const std::string digits = "(十二|十六|一千|两|二|三|四|五|六|七|八|九|十)";
    add(zh, digits + "(分之|倍|层|列|行|张热图|个(头|词元|键|词|乘积|单元格|数|矩阵|权重))");
    add(zh, "(一半|大半)");
  }
  return values;
}

/// Statements about other texts, models in general and machines: no run can verify them.
inline bool is_of_others(const std::string& sentence) {
  for (const char* words : {
           "GPT-2 and most later",
           "GPT-2 和后来的多数模型",  // Xiong et al. 2020
           "there a few groups do almost",
           "少数几组就几乎",  // Ainslie et al. 2023
           "as a 1 × 1 convolution does",
           "相当于 1 × 1 卷积",  // the definition
           "Sentences of unequal length",
           "句子长短不一时",  // the definition
           "A comment says that 0", "注释说掩码中为 0", "says in a comment that 0", "在注释里说：掩码中 0",
           "is 0, and so blocks",
           "等于 0 处填入",  // lines of a tutorial
           "the first run is slower", "第一次运行较慢", "more than half as many again",
           "多出一半以上",  // machines
       })
    if (sentence.find(words) != std::string::npos) return true;
  return false;
}

/// Standalone numbers: not those of x1, GPT-2, 1e9.
inline std::vector<std::string> numbers_in(const std::string& text) {
  constexpr const char* number = "[A-Za-z_^-]?[0-9](,[0-9]{3}|[0-9])*(\\.[0-9]+)?(e[0-9]+|[%A-Za-z-])?";
  std::vector<std::string> found;
  for (const std::string& one : matches(text, number)) {
    const auto letter = [](char sign) { return std::isalpha(static_cast<unsigned char>(sign)) != 0; };
    const bool name = std::isdigit(static_cast<unsigned char>(one.front())) == 0 || letter(one.back()) ||
                      one.back() == '-' || one.find('e') != std::string::npos;
    if (!name) found.push_back(one);
  }
  return found;
}
inline void add_numbers(std::set<double>& known, const std::string& text) {
  for (const std::string& found : matches(text, "[0-9]+(\\.[0-9]+)?")) known.insert(number_in(found));
}

/// What backs a sentence: numbers, and how many claims have them.
struct Backing {
  std::set<double> numbers;
  std::size_t claims = 0;
  void add(const std::string& expression) {
    add_numbers(numbers, expression);
    ++claims;
  }
  void add(const LessonStep& step, const LessonClaim& claim) {
    add(claim.expression.text());
    if (claim.with != 0) add_numbers(numbers, step.withs[claim.with - 1].json);
  }
};

/// Reads a lesson's statements, sentence by sentence.
class StatedNumbers {
 public:
  explicit StatedNumbers(const Lesson& lesson) : lesson_(lesson) {}

  /// The sentences whose numbers and comparisons are in no claim that quotes them, each with what is needed.
  std::vector<std::string> complaints() {
    std::vector<const LessonStep*> all;
    for (const LessonStep& step : lesson_.steps) all.push_back(&step);
    check("introduction", lesson_.text, all, {});
    for (const LessonStep& step : lesson_.steps) check_step(step);
    return std::move(complaints_);
  }

 private:
  void check_step(const LessonStep& step) {
    const std::string at = fmt::format("line {}", step.line);
    check(at, step.text, {&step}, {});
    check(at + ", line", step.claim, {&step}, {});
    for (const LessonQuestion& question : step.questions) {
      std::vector<std::string> asked;
      if (question.check) asked.push_back(question.check->expression.text());
      if (question.number)
        asked.push_back(question.number->value.text() + " " + question.number->within.text());
      for (const LessonChoice& choice : question.choices)
        if (choice.when) asked.push_back(choice.when->text());
      check(at + ", question", question.text, {&step}, asked);
      for (const LessonChoice& choice : question.choices) check(at + ", choice", choice.text, {&step}, asked);
      check(at + ", answer", question.answer, {&step}, {});
    }
  }

  /// What a question is checked by are claims about its task: a check is tested with the solution.
  void check(const std::string& where, const InLanguages<LessonText>& text,
             const std::vector<const LessonStep*>& steps, const std::vector<std::string>& asked) {
    for (const Language language : {Language::en, Language::zh})
      if (text.has(language))
        for (const std::string& sentence : sentences_of(plain_text(text.in(language))))
          if (!is_of_others(sentence)) check_sentence(where, sentence, language, steps, asked);
  }

  void check_sentence(const std::string& where, const std::string& sentence, Language language,
                      const std::vector<const LessonStep*>& steps, const std::vector<std::string>& asked) {
    const auto complain = [&](const std::string& what) {
      complaints_.push_back(fmt::format("{}: {}: {}", where, what, sentence));
    };
    Backing backing, shown;
    for (const LessonStep* step : steps) {
      add_numbers(shown.numbers, fmt::format("{} {}", step->session.view.layer,
                                             step->session.view.head.value_or(step->session.view.layer)));
      if (step->cell)
        add_numbers(shown.numbers,
                    fmt::format("{} {} {}", step->cell->head, step->cell->query, step->cell->key));
      for (const std::string& expression : asked) backing.add(expression);
      for (const LessonClaim& claim : step->claims) {
        shown.add(*step, claim);
        const std::string words = claim.quote == 0 ? "" : step->quotes[claim.quote - 1].words[language];
        if (!words.empty() && sentence.find(words) != std::string::npos) backing.add(*step, claim);
      }
    }
    shown.numbers.insert(backing.numbers.begin(), backing.numbers.end());

    const char* const places = language == Language::zh ? places_zh : places_en;
    for (const std::string& place : matches(sentence, places))
      for (const std::string& found : matches(place, "[0-9]+"))
        if (!shown.numbers.contains(number_in(found)) && !shown.numbers.contains(number_in(found) - 1))
          complain(place + " is neither shown nor claimed");
    std::string rest = std::regex_replace(sentence, compiled(places), "");
    rest = std::regex_replace(rest, compiled("PyTorch [0-9.]+"), "");
    for (const std::string& found : numbers_in(rest)) {
      const double value = number_in(found);
      if (!backing.numbers.contains(value) && !(found.back() == '%' && backing.numbers.contains(value / 100)))
        complain(found + " is in no claim that quotes the sentence");
    }
    for (const double value : numerals(rest, language))
      if (!backing.numbers.contains(value))
        complain(fmt::format("{} is in no claim that quotes the sentence", value));
    if (backing.claims == 0 && sentence.find('#') != std::string::npos)
      complain("no claim quotes the sentence");
    const auto compared = matches(rest, language == Language::zh ? comparing_zh : comparing_en);
    if (compared.size() > backing.claims)
      complain(fmt::format("{} comparisons ({}) and {} claims that quote the sentence", compared.size(),
                           fmt::join(compared, ", "), backing.claims));
  }

  const Lesson& lesson_;
  std::vector<std::string> complaints_;
};

}  // namespace headscope::tests

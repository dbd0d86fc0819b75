#include "core/teach/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <span>
#include <type_traits>

#include "core/base/read_number.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

constexpr int course_version = 1;
constexpr int max_steps = 500;
constexpr std::size_t max_lessons = 100;
constexpr double max_minutes = 600;

/// Those of the step are of another file.
void set_lines(LessonStep& step, int line) {
  const auto set = [line](int& at) { at = at == 0 ? 0 : line; };
  const auto set_texts = [&](InLanguages<LessonText>& texts) {
    for (LessonText& text : texts.each) for_each_span(text.blocks, [&](TextSpan& span) { set(span.line); });
  };
  step.line = line;
  set(step.state_line);
  set_texts(step.claim);
  set_texts(step.text);
  set_texts(step.notes);
  for (LessonQuote& quote : step.quotes) set(quote.line);
  for (LessonClaim& claim : step.claims) set(claim.line);
  for (LessonWith& with : step.withs) set(with.line);
  for (LessonQuestion& question : step.questions) {
    set(question.line);
    set(question.solution_line);
    set_texts(question.text);
    set_texts(question.answer);
    if (question.check) set(question.check->line);
    if (question.number) set(question.number->line);
    for (LessonChoice& choice : question.choices) {
      set(choice.line);
      set_texts(choice.text);
    }
  }
}

/// A number at the beginning of a text, which is removed from it.
template <typename Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto read = [&](const char* begin, const char* end) {
    if constexpr (std::is_same_v<Number, double>)
      return read_number(begin, end, number);
    else
      return std::from_chars(begin, end, number);
  };
  const auto [end, error] = read(text.data(), text.data() + text.size());
  if (error == std::errc::result_out_of_range)
    throw input_error("{} is too large; expected a smaller number",
                      cut_off(text.substr(0, end - text.data()), 20));
  if (error != std::errc()) return {};
  text.remove_prefix(end - text.data());
  return number;
}
bool take_sign(std::string_view& text, std::string_view sign) {
  text = trimmed(text);
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(sign.size());
  text = trimmed(text);
  return true;
}

/// A line of a list: "- why-many-heads 1, 3–5: 8 min", or with a link in place of the name.
struct Item {
  std::string lesson;
  std::vector<std::pair<int, int>> steps;  ///< from 1, both ends included; empty: all
  double minutes = 0;
};

/// Nothing for what is not such a line.
std::optional<Item> item_of(std::string_view line) {
  Item item;
  if (!take_sign(line, "- ") && !take_sign(line, "* ")) return {};
  if (line.starts_with('[')) {
    const std::size_t begin = line.find("]("), end = line.find(')', begin);
    if (end == std::string_view::npos) return {};
    item.lesson = line.substr(begin + 2, end - begin - 2);
    line.remove_prefix(end + 1);
  } else {
    const std::size_t end = std::min(line.find_first_of(" :"), line.size());
    item.lesson = line.substr(0, end);
    line.remove_prefix(end);
  }
  while (!take_sign(line, ":")) {
    if (!item.steps.empty() && !take_sign(line, ",")) return {};
    const std::optional<int> first = take_number<int>(line);
    if (!first) return {};
    const bool range = take_sign(line, "–") || take_sign(line, "-");
    const std::optional<int> last = range ? take_number<int>(line) : first;
    if (!last) return {};
    item.steps.emplace_back(*first, *last);
  }
  const std::optional<double> minutes = take_number<double>(line);
  if (item.lesson.empty() || !minutes || !take_sign(line, "min") || !line.empty()) return {};
  item.minutes = *minutes;
  return item;
}

/// Goes through the lines and keeps track of what they are part of.
class CourseReader {
 public:
  CourseReader(std::string_view text, const std::string& path, const LessonOfCourse& lesson)
      : text_(text), lesson_of_(lesson), budget_(path, text.size()) {}

  ReadLesson read() {
    for (; !text_.empty() && result_.mistakes.size() < max_lesson_mistakes; ++line_) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      const std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      take(line);
    }
    end_text();
    if (lesson_.title.each.front().empty())
      mistake(1, input_error("there is no title; expected a line # Title | 标题"));
    if (version_ == 0) mistake(1, input_error("there is no version; expected a line version: 1"));
    if (lesson_.steps.empty() && result_.mistakes.empty())
      mistake(std::max(line_ - 1, 1),
              input_error("there is no step; expected a line such as - why-many-heads 1–3: 8 min"));
    std::ranges::stable_sort(result_.mistakes, {}, &LessonMistake::line);
    return std::move(result_);
  }

 private:
  void take(std::string_view line) {
    constexpr std::string_view version = "version:";
    if (line.starts_with("# ")) return take_title(line.substr(2));
    if (line.starts_with("## ")) return take_part(line.substr(3));
    if (line.starts_with("### ")) return take_language(trimmed(line.substr(4)));
    if (line.starts_with(version) && lesson_.parts.empty() && into_ == nullptr)
      return take_version(trimmed(line.substr(version.size())));
    // A list of a text is indented or within the introduction.
    if (!lesson_.parts.empty() && (line.starts_with("- ") || line.starts_with("* "))) return take_item(line);
    if (into_ != nullptr)
      markdown_ += std::string(line) + "\n";
    else if (!trimmed(line).empty())
      mistake(line_, input_error("there is text outside of a language; expected a line such as - "
                                 "why-many-heads 1–3: 8 min, or ### English or ### 中文 before it"));
  }

  void take_title(std::string_view heading) {
    end_text();
    if (!lesson_.title.each.front().empty() || !lesson_.parts.empty())
      return mistake(line_, input_error("there is a second title; expected one line # at the top"));
    lesson_.title = read_title(heading, line_, result_.mistakes);
  }
  void take_version(std::string_view number) {
    const std::string given(number);
    std::optional<int> version;
    guarded(result_.mistakes, line_, [&] { version = take_number<int>(number); });
    version_ = 1;
    if (version != course_version || !number.empty())
      mistake(line_,
              input_error("version is {}; expected {}", cut_off(printable(given), 20), course_version));
  }
  void take_part(std::string_view heading) {
    end_text();
    budget_.charge(2, sizeof(CoursePart));
    lesson_.parts.push_back({read_title(heading, line_, result_.mistakes), {}, all_steps(lesson_).end});
  }
  void take_language(std::string_view name) {
    end_text();
    const auto language = std::ranges::find(languages(), name, &LanguageRow::name);
    if (language == languages().end())
      return mistake(line_, input_error("there is a heading ### {}; expected ### English or ### 中文",
                                        cut_off(printable(name), 60)));
    InLanguages<LessonText>& texts = lesson_.parts.empty() ? lesson_.text : lesson_.parts.back().text;
    into_ = &texts[language->language];
    first_line_ = line_ + 1;
  }
  /// Numbers are of a step's state, which a course's own texts do not have.
  void end_text() {
    LessonText* const into = std::exchange(into_, nullptr);
    const std::string markdown = std::exchange(markdown_, {});
    if (into == nullptr) return;
    guarded(result_.mistakes, first_line_,
            [&] { *into = lesson_text(markdown, first_line_, budget_, result_.mistakes); });
    for_each_span(into->blocks, [&](const TextSpan& span) {
      if (span.kind == TextSpan::Kind::number)
        mistake(span.line,
                input_error("{} is a live number; expected it in a lesson's step", "{" + span.text + "}"));
    });
  }

  void take_item(std::string_view line) {
    end_text();
    std::optional<Item> item;
    if (!guarded(result_.mistakes, line_, [&] { item = item_of(line); })) return;
    if (!item)
      return mistake(line_, input_error("the line is {}; expected one such as - why-many-heads 1–3: 8 min",
                                        cut_off(printable(line), 60)));
    if (!(item->minutes > 0) || item->minutes > max_minutes)
      return mistake(line_, input_error("the minutes are {}; expected more than 0 and at most {}",
                                        minutes_text(item->minutes), max_minutes));
    const Lesson* const lesson = find(item->lesson);
    if (lesson == nullptr) return;
    std::vector<std::pair<int, int>> ranges = item->steps;
    const int count = all_steps(*lesson).end;
    if (ranges.empty()) ranges.emplace_back(1, count);
    int added = 0;
    for (const auto& [first, last] : ranges) {
      if (first < 1 || last > count || first > last)
        return mistake(line_, input_error("steps {} to {} of {} do not exist; expected those from 1 to {}",
                                          first, last, item->lesson, count));
      added += last - first + 1;
      if (all_steps(lesson_).end + last - first >= max_steps)
        return mistake(line_, input_error("the course has more than {} steps; expected fewer", max_steps));
      for (int step = first; step <= last; ++step) add(item->lesson, *lesson, step);
    }
    for (LessonStep& step : std::span(lesson_.steps).last(added)) step.minutes = item->minutes / added;
  }
  void add(const std::string& name, const Lesson& lesson, int number) {
    budget_.charge(1, sizeof(LessonStep));
    LessonStep& step = lesson_.steps.emplace_back(lesson.steps[number - 1]);
    set_lines(step, line_);
    step.lesson = lesson.title;
    step.lesson_name = name;
    step.lesson_step = number;
  }

  /// nullptr, and a mistake, if it cannot be read.
  const Lesson* find(const std::string& name) {
    if (const auto known = lessons_.find(name); known != lessons_.end()) return &known->second;
    Lesson read;
    const bool readable = guarded(result_.mistakes, line_, [&] {
      if (lessons_.size() >= max_lessons)
        throw input_error("the course names more than {} lessons; expected fewer", max_lessons);
      read = lesson_of_(name);
    });
    return readable ? &(lessons_[name] = std::move(read)) : nullptr;
  }

  void mistake(int line, Error error) { result_.mistakes.push_back({line, std::move(error)}); }

  std::string_view text_;
  const LessonOfCourse& lesson_of_;
  Budget budget_;
  ReadLesson result_;
  Lesson& lesson_ = result_.lesson;
  std::map<std::string, Lesson> lessons_;
  LessonText* into_ = nullptr;  // the text that lines belong to
  std::string markdown_;
  int first_line_ = 0, line_ = 1, version_ = 0;
};

}  // namespace

ReadLesson read_course(std::string_view markdown, const std::string& path, const LessonOfCourse& lesson) {
  const std::string text = plain_lines(markdown, path);
  return CourseReader(text, path, lesson).read();
}

StepsOfPart all_steps(const Lesson& course) {
  return {0, static_cast<int>(course.steps.size())};
}

StepsOfPart steps_of(const Lesson& course, std::size_t part) {
  const bool last = part + 1 == course.parts.size();
  return {course.parts[part].first, last ? all_steps(course).end : course.parts[part + 1].first};
}

std::size_t part_of(const Lesson& course, int step) {
  std::size_t part = course.parts.size() - 1;
  while (part > 0 && course.parts[part].first > step) --part;
  return part;
}

double minutes_of(const Lesson& course, const StepsOfPart& steps) {
  double sum = 0;
  for (int i = steps.first; i < steps.end; ++i) sum += course.steps[i].minutes;
  return sum;
}

std::string minutes_text(double minutes) {
  const double half = std::round(2 * minutes) / 2;
  const bool is_half = std::abs(minutes - half) < 1e-9 && half != std::round(half);
  return is_half ? fmt::format("{:.1f}", minutes) : fmt::format("{:.0f}", minutes);
}

}  // namespace headscope

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/info_text.h"
#include "app/cli/messages.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/teach/check.h"
#include "core/teach/course.h"
#include "core/teach/library.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_printed = 100;  // mistakes

Json in_languages(const InLanguages<std::string>& text) {
  Json json;
  for (const LanguageRow& row : languages()) json[row.code] = text[row.language];
  return json;
}

std::vector<const char*> languages_of(const Lesson& lesson) {
  std::vector<const char*> list;
  for (const LanguageRow& row : languages())
    if (lesson.has(row.language)) list.push_back(row.code);
  return list;
}

/// Counts the numbers of its texts; numbers that languages share count once.
std::size_t numbers_of(const InLanguages<LessonText>& text) {
  std::size_t maximum = 0;
  for (const LessonText& one : text.each) {
    std::size_t count = 0;
    for_each_span(one.blocks, [&](const TextSpan& span) { count += span.value.size(); });
    maximum = std::max(maximum, count);
  }
  return maximum;
}

void print_json(const Lesson& lesson, const std::vector<LessonMistake>& mistakes, const std::string& path) {
  Json json{
      {"title", in_languages(lesson.title)}, {"languages", languages_of(lesson)}, {"steps", Json::array()}};
  for (const LessonStep& step : lesson.steps) {
    json["steps"].push_back({{"line", step.line},
                             {"title", in_languages(step.title)},
                             {"numbers", numbers_of(step.text)},
                             {"questions", step.questions.size()},
                             {"claims", step.claims.size()},
                             {"session", Json::parse(to_json(step.session, false))}});
    if (lesson.parts.empty()) continue;
    json["steps"].back()["lesson"] = step.lesson_name;
    json["steps"].back()["lesson_step"] = step.lesson_step;
    json["steps"].back()["minutes"] = step.minutes;
  }
  for (const CoursePart& part : lesson.parts)
    json["parts"].push_back({{"title", in_languages(part.title)}, {"first_step", part.first + 1}});
  json["mistakes"] = Json::array();
  const std::size_t printed = std::min(mistakes.size(), max_printed);
  for (const LessonMistake& mistake : std::span(mistakes).first(printed))
    json["mistakes"].push_back({{"line", mistake.line}, {"text", in_file(mistake, path).what()}});
  json["more_mistakes"] = mistakes.size() - printed;
  dump_json(json);
}

void print_text(const Lesson& lesson, const std::string& path, const Translator& tr) {
  const InfoLines lines(tr);
  std::string spoken;
  for (const char* language : languages_of(lesson))
    spoken += (spoken.empty() ? "" : ", ") + std::string(language);
  std::size_t questions = 0, claims = 0, numbers = numbers_of(lesson.text);
  for (const LessonStep& step : lesson.steps) {
    questions += step.questions.size();
    claims += step.claims.size();
    numbers += numbers_of(step.text);
  }
  lines.line("lesson", TR("lesson"), path);
  lines.line("title", TR("Title"), lesson.title.in(tr.language()));
  lines.line("languages", TR("languages"), spoken);
  lines.line("questions", TR("questions"), fmt::format("{}", questions));
  lines.line("claims", TR("claims"), fmt::format("{}", claims));
  lines.line("live numbers", TR("live numbers"), fmt::format("{}", numbers));
  lines.line("steps", TR("steps"), fmt::format("{}", lesson.steps.size()));
  if (!lesson.parts.empty())
    lines.line("minutes", TR("minutes"), minutes_text(minutes_of(lesson, all_steps(lesson))));
  for (int i = 0; i < all_steps(lesson).end; ++i) {
    const LessonStep& step = lesson.steps[i];
    const bool course = !lesson.parts.empty();
    const auto begins = std::ranges::find(lesson.parts, i, &CoursePart::first);
    if (begins != lesson.parts.end()) fmt::print("{}\n", printable(begins->title.in(tr.language())));
    const std::string from = course ? fmt::format("  ({} {}, {})", step.lesson_name, step.lesson_step,
                                                  tr("{} min", minutes_text(step.minutes)))
                                    : "";
    fmt::print("  {:>2}  {}{}\n", i + 1, printable(step.title.in(tr.language())), printable(from));
  }
}

/// Prints all but the last mistake, which is thrown so that its status becomes the program's. If there are
/// too many, the error gives the number of the rest.
void report(const std::vector<LessonMistake>& mistakes, const std::string& path, const Translator& tr) {
  if (mistakes.empty()) return;
  const std::size_t printed = mistakes.size() > max_printed ? max_printed : mistakes.size() - 1;
  for (std::size_t i = 0; i < printed; ++i) print_message(tr(in_file(mistakes[i], path)));
  if (mistakes.size() <= max_printed) throw in_file(mistakes.back(), path);
  const std::size_t more = mistakes.size() - max_printed;
  throw mistakes.size() < max_lesson_mistakes
      ? input_error(counted("{}: {} more mistake", "{}: {} more mistakes", more), path, more)
      : input_error(counted("{}: at least {} more mistake", "{}: at least {} more mistakes", more), path,
                    more);
}

}  // namespace

void check_readable(const CommandRequest& request, const Translator& tr) {
  const std::vector<LessonMistake> mistakes = open_lesson(request.file).mistakes;
  if (!mistakes.empty()) throw first_of(mistakes, request.file, tr);
}

void run_lesson_info(const CommandRequest& request, const Translator& tr) {
  if (request.inputs_given)
    throw input_error("{} is a lesson; expected a session or a figure when options are given", request.file);
  ReadLesson read = open_lesson(request.file);
  Engine engine(request.threads);
  const std::vector<LessonMistake> found = check_lesson(read.lesson, engine);
  read.mistakes.insert(read.mistakes.end(), found.begin(), found.end());
  std::ranges::stable_sort(read.mistakes, {}, &LessonMistake::line);
  if (request.json)
    print_json(read.lesson, read.mistakes, request.file);
  else
    print_text(read.lesson, request.file, tr);
  report(read.mistakes, request.file, tr);
}

}  // namespace headscope

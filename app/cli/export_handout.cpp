#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "core/io/formats.h"
#include "core/teach/handout.h"
#include "core/teach/library.h"

namespace headscope {

namespace {

/// A lesson defines all of its states: no other option on the line could change them.
void check_alone(const CommandRequest& request) {
  constexpr std::array<std::string_view, 5> with_lesson{"--lesson", "--paper", "--no-answers", "--language",
                                                        "-o,--output"};
  for (const std::string& given : request.given)
    if (std::ranges::find(with_lesson, given) == with_lesson.end())
      throw input_error("--lesson and {} are both given; expected one of them", given);
  if (!request.file.empty())
    throw input_error("--lesson and {} are both given; expected one of them", request.file);
}

Lesson read(const std::string& name) {
  std::error_code ignored;
  if (!is_lesson(name) && !std::filesystem::exists(name, ignored))
    throw input_error("--lesson is \"{}\"; expected a file such as lesson.md, or one of: {}", name,
                      fmt::format("{}", fmt::join(built_in_lesson_names(), ", ")));
  ReadLesson read = open_lesson(name);
  if (!read.mistakes.empty()) throw in_file(read.mistakes.front(), name);
  return std::move(read.lesson);
}

}  // namespace

void run_handout(const CommandRequest& request, const Translator& tr) {
  const std::string& name = *request.handout;
  check_alone(request);
  const Output output(request.output, "handout", endings(handout_formats()));
  const Lesson lesson = read(name);
  Engine engine(request.threads);
  output.write([&](const std::string& path) {
    Progress progress(tr, TR("Drawing the handout"));
    HandoutWatch watch;
    watch.forecast = [&](const Forecast& forecast) { progress.report(forecast); };
    watch.progress = [&](double share) { progress.show(share); };
    export_handout(path, lesson, name, tr.language(), request.paper.value_or(Paper::a4), request.answers,
                   engine, watch);
  });
}

}  // namespace headscope

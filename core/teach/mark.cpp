#include "core/teach/mark.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/base/utf8.h"
#include "core/io/csv.h"
#include "core/teach/check.h"
#include "core/teach/library.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

/// What the states of a lesson take at most.
class Bounds {
 public:
  explicit Bounds(const Lesson& lesson) {
    for (const LessonStep& step : lesson.steps) {
      add(step.session);
      for (const LessonQuestion& question : step.questions)
        if (question.solution) add(*question.solution);
      for (const LessonWith& with : step.withs)
        for (const Session& session : with.sessions) add(session);
    }
  }

  /// Files are the lesson's own, by their names. Throws Error (input) for what asks for more.
  void hold(Inputs& inputs) const {
    for (const auto& [name, member] : files) own(name, inputs.*member, files_.at(name));
    for (MaskPart& part : inputs.mask)
      if (part.kind == MaskKind::file) own("mask", part.path, files_.at("mask"));
    if (inputs.about().from_seed)
      for (const auto& [name, member] : sizes) at_most(name, inputs.*member, sizes_.at(name));
    constexpr std::size_t times = 4;
    if (const std::size_t found = longest(inputs); found > times * text_)
      throw input_error("the text is too long for the lesson (characters: {}, at most {}): not run", found,
                        times * text_);
  }

 private:
  static constexpr std::pair<const char*, std::string Inputs::*> files[] = {{"model", &Inputs::model},
                                                                            {"capture", &Inputs::capture},
                                                                            {"picture", &Inputs::picture},
                                                                            {"features", &Inputs::features}};
  static constexpr std::pair<const char*, int Inputs::*> sizes[] = {
      {"d_model", &Inputs::d_model}, {"heads", &Inputs::heads}, {"layers", &Inputs::layers}};

  void add(const Session& session) {
    for_each_inputs(session, [&](const Inputs& inputs) {
      for (const auto& [name, member] : files) files_[name].insert(inputs.*member);
      std::set<std::string>& masks = files_["mask"];
      for (const MaskPart& part : inputs.mask)
        if (part.kind == MaskKind::file) masks.insert(part.path);
      for (const auto& [name, member] : sizes) sizes_[name] = std::max(sizes_[name], inputs.*member);
      text_ = std::max(text_, longest(inputs));
    });
  }
  static std::size_t longest(const Inputs& inputs) {
    return std::max({characters(inputs.sentence), characters(inputs.key_sentence.value_or("")),
                     characters(inputs.target.value_or(""))});
  }
  static std::size_t characters(const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) at = code_point_end(text, at);
    return count;
  }
  static void own(const char* name, std::string& file, const std::set<std::string>& known) {
    const auto same = std::ranges::find_if(known, [&](const std::string& one) {
      return one == file || (!file.empty() && fs::path(one).filename() == fs::path(file).filename());
    });
    if (same == known.end())
      throw input_error("{} is {}, which the lesson does not use; not run", name,
                        fs::path(file).filename().string());
    file = *same;
  }
  template <typename Number>
  static void at_most(const char* name, Number found, Number most) {
    if (found > most) throw input_error("{} takes {}; the lesson allows {}: not run", name, found, most);
  }

  std::map<std::string, std::set<std::string>> files_;
  std::map<std::string, int> sizes_;
  std::size_t text_ = 0;  // characters
};

std::vector<std::string> sessions_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    if (path.extension() == ".json" || path.extension() == ".headscope") files.push_back(path.string());
  }
  if (error) throw unable_error("{}: cannot be read: {}", folder, error.message());
  if (files.empty()) throw input_error("{} has no session; expected files .json or .headscope", folder);
  std::ranges::sort(files);
  return files;
}

/// As the question asks for it: a session may have more.
std::string in_words(const LessonQuestion& question, const LessonAnswer& answer) {
  if (question.number && answer.number) return fmt::format("{}", *answer.number);
  if (question.choices.empty() && answer.state)
    return answer.state->name.empty() ? "state" : answer.state->name;
  std::string list;
  for (const int choice : answer.choices) list += (list.empty() ? "" : " ") + std::to_string(choice + 1);
  return list;
}

class Marker {
 public:
  Marker(const Lesson& lesson, const std::string& path, Language language, Engine& engine)
      : lesson_(lesson), path_(path), language_(language), bounds_(lesson), run_(engine, check_options()) {}

  void read(const std::string& file) {
    Marked row;
    row.session = fs::path(file).filename().string();
    try {
      sessions_.emplace_back(row.session, load_session(file));
      ++marks.sessions;
    } catch (const Error& error) {
      row.error = error;
      marks.rows.push_back(row);
    }
  }

  void step(int number) {
    const LessonStep& step = lesson_.steps[number];
    if (std::ranges::none_of(step.questions, &LessonQuestion::asks)) return;
    if (const auto mistakes = run_.check(step, nullptr); !mistakes.empty())
      throw in_file(mistakes.front(), path_);
    for (int i = 0; i < std::ssize(step.questions); ++i) {
      const LessonQuestion& question = step.questions[i];
      if (!question.asks()) continue;
      marks.questions.push_back({number, i, brief(question.text.in(language_))});
      for (const auto& [name, session] : sessions_) mark(name, session, step, question);
    }
  }

  Marks marks;

 private:
  /// As it begins, with the numbers of the step that was checked last.
  std::string brief(LessonText text) const {
    constexpr std::size_t longest = 60;  // bytes
    for_each_span(text.blocks, [&](TextSpan& span) {
      if (span.kind != TextSpan::Kind::number) return;
      span.text = span.form(live_number(span.value.front(), run_.numbers()));
      span.kind = TextSpan::Kind::text;
    });
    const std::string words = plain_text(text);
    return cut_off(words.substr(0, words.find('\n')), longest);
  }
  void mark(const std::string& name, const Session& session, const LessonStep& step,
            const LessonQuestion& question) {
    MarkedQuestion& of = marks.questions.back();
    Marked row{name, marks.questions.size() - 1, {}, {}, {}, {}};
    if (const LessonAnswer* found = answer_of(session, answered_step(lesson_, path_, of.step), of.question)) {
      LessonAnswer answer = *found;
      row.answer = in_words(question, answer);
      row.tries = answer.tries;
      ++of.answered;
      try {
        if (answer.state) {
          bounds_.hold(answer.state->inputs);
          if (answer.state->compare) bounds_.hold(*answer.state->compare);
        }
        row.right = run_.is_right(step, question, answer);
        of.right += *row.right ? 1 : 0;
      } catch (const Error& error) {
        row.error = error;
        ++of.failed;
      }
    }
    marks.rows.push_back(std::move(row));
  }

  const Lesson& lesson_;
  const std::string& path_;
  Language language_;
  Bounds bounds_;
  LessonRun run_;
  std::vector<std::pair<std::string, Session>> sessions_;
};

}  // namespace

AnsweredStep answered_step(const Lesson& lesson, const std::string& path, int step) {
  const LessonStep& asked = lesson.steps[step];
  const bool of_course = !asked.lesson_name.empty();
  const std::string& name = of_course ? asked.lesson_name : path;
  return {is_built_in_lesson(name) ? name : fs::path(name).filename().string(),
          of_course ? asked.lesson_step - 1 : step};
}

const LessonAnswer* answer_of(const DocumentState& document, const AnsweredStep& step, int question) {
  const auto found = std::ranges::find_if(document.answers, [&](const LessonAnswer& answer) {
    return answer.lesson == step.lesson && answer.step == step.step && answer.question == question;
  });
  return found == document.answers.end() ? nullptr : &*found;
}

Marks mark_sessions(const Lesson& lesson, const std::string& path, const std::string& folder,
                    Language language, Engine& engine, const std::function<void(double share)>& progress) {
  Marker marker(lesson, path, language, engine);
  for (const std::string& file : sessions_in(folder)) marker.read(file);
  for (int i = 0; i < std::ssize(lesson.steps); ++i) {
    marker.step(i);
    if (progress) progress((i + 1) / static_cast<double>(lesson.steps.size()));
  }
  if (marker.marks.questions.empty())
    throw input_error("{} has no question that can be checked; expected one with check:, choices or number:",
                      path);
  std::ranges::stable_sort(marker.marks.rows, {}, &Marked::session);
  return std::move(marker.marks);
}

std::string marks_csv(const Marks& marks, const Translator& tr) {
  std::string text = "session,step,question,title,answer,holds,tries,error\n";
  for (const Marked& row : marks.rows) {
    text += csv_field(row.session) + ",";
    if (row.question) {
      const MarkedQuestion& of = marks.questions[*row.question];
      text += fmt::format("{},{},{}", of.step + 1, of.question + 1, csv_field(of.title));
    } else {
      text += ",,";
    }
    text += fmt::format(",{},{},{},{}\n", csv_field(row.answer),
                        !row.right   ? ""
                        : *row.right ? "yes"
                                     : "no",
                        row.tries > 0 ? std::to_string(row.tries) : "",
                        row.error ? csv_field(tr(*row.error)) : "");
  }
  return text;
}

}  // namespace headscope

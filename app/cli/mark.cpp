#include "core/teach/mark.h"

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/messages.h"
#include "app/cli/output.h"
#include "core/io/file.h"
#include "core/teach/library.h"

namespace headscope {

void run_mark(const CommandRequest& request, const Translator& tr) {
  if (!request.lesson) throw input_error("{} is not a lesson; expected a file (.md) or a name", request.file);
  if (request.sessions.empty())
    throw input_error("there is no folder of sessions; expected mark LESSON FOLDER");
  std::optional<Output> output;
  if (request.is_given("-o,--output"))
    output.emplace(request.output, "marks", std::vector<std::string>{".csv"});
  const ReadLesson read = open_lesson(request.file);
  if (!read.mistakes.empty()) throw in_file(read.mistakes.front(), request.file);
  Engine engine(request.threads);
  const Marks marks = [&] {
    Progress progress(tr, TR("Marking"));
    return mark_sessions(read.lesson, request.file, request.sessions, tr.language(), engine,
                         [&](double share) { progress.show(share); });
  }();
  const std::string table = marks_csv(marks, tr);
  if (output)
    output->write([&](const std::string& path) { write_file(path, table); });
  else
    print_text(table);
  std::string summary;
  for (const MarkedQuestion& question : marks.questions)
    summary +=
        (question.failed > 0
             ? tr("Step {}, question {} ({}): {} right of {} answered, {} not marked, {} sessions",
                  question.step + 1, question.question + 1, question.title, question.right, question.answered,
                  question.failed, marks.sessions)
             : tr("Step {}, question {} ({}): {} right of {} answered, {} sessions", question.step + 1,
                  question.question + 1, question.title, question.right, question.answered, marks.sessions)) +
        "\n";
  const std::size_t unread =
      std::ranges::count_if(marks.rows, [](const Marked& row) { return !row.question; });
  if (unread > 0)
    summary +=
        tr.plural("{} file could not be read", "{} files could not be read", unread) + std::string("\n");
  print_text(summary);
}

}  // namespace headscope

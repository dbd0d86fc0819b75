#include <filesystem>
#include <string_view>
#include <utility>

#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "app/state/document/document.h"
#include "app/state/document/figure_export.h"
#include "app/state/document/file_commands.h"
#include "app/state/lesson/play_course.h"
#include "app/state/lesson/play_lesson.h"
#include "core/scene/view_kinds.h"
#include "core/system/process.h"
#include "core/teach/handout.h"
#include "core/teach/library.h"
#include "core/teach/write_lesson.h"

namespace headscope {
namespace {

bool playing(const OpenSession& open) {
  return open.lesson.playing();
}

/// In the steps of the arithmetic the keys first go through the stages.
bool keys_step(const App& app) {
  const View& view = app.state.view;
  const bool stages =
      view.row().has_steps && view.steps.page != StepsPage::cost && app.state.panel != Panel::lesson;
  // Space also paints, and activates the item focused by keys.
  const bool space = app.input.keyboard.goes_down(Key::space);
  return playing(app) && !stages && !(space && (app.state.brush.on || app.input.by_keys));
}

/// Keys scroll the lesson's text first; the menu item goes straight to the step that it names.
void turn_by_key(App& app, int by) {
  const KeyState& keyboard = app.input.keyboard;
  const bool key = keyboard.goes_down(Key::page_down) || keyboard.goes_down(Key::page_up) ||
                   keyboard.goes_down(Key::space);
  key ? turn_lesson(app, by) : step_lesson(app, by);
}

FileRequest lesson_request(const Workspace& work, bool save, const char* title) {
  FileRequest request;
  request.save = save;
  request.title = work.tr(title);
  request.filters = {{work.tr("Lessons (.md)"), {"*.md"}}};
  request.name = save ? "lesson.md" : "";
  return request;
}

/// Requires that no other file is being written.
bool can_write_handout(const App& app) {
  return playing(app) && !app.dialogs.figure.running.started();
}
void write_handout(App& app, const std::string& path, bool answers) {
  if (!can_write_handout(app)) return;
  write_beside(app.dialogs.figure, app.wake, path,
               [path, answers, lesson = app.lesson.lesson, source = app.lesson.path,
                language = app.tr.language()](const std::stop_token& stop, WorkProgress& progress) {
                 HandoutWatch watch(stop);
                 watch.forecast = [&](const Forecast& forecast) { progress.report(forecast); };
                 watch.progress = [&](double share) { progress.show(share); };
                 Engine engine;
                 export_handout(path, *lesson, source, language, Paper::a4, answers, engine, watch);
               });
}
std::string handout_name(const App& app, const char* ending) {
  return std::filesystem::path(app.lesson.path).stem().string() + ending;
}
/// By a page, whose browser makes PDF of what it prints.
bool is_printed(const HandoutFormat& format) {
  return format.ending == std::string_view(".pdf");
}
void ask_for_handout(App& app, bool answers) {
  FileRequest request;
  request.save = true;
  request.title = app.tr("Export handout");
  std::vector<HandoutFormat> formats = written_handout_formats();
  if (is_page()) std::erase_if(formats, is_printed);
  for (const HandoutFormat& format : formats)
    request.filters.push_back({app.tr(format.title), {std::string("*") + format.ending}});
  request.name = handout_name(app, formats.front().ending);
  ask_for_file(app, std::move(request),
               [answers](App& a, const std::string& path) { write_handout(a, path, answers); });
}

}  // namespace

void ask_for_lesson_to_add_to(App& app) {
  FileRequest request = lesson_request(app, true, TR("Add this state to a lesson"));
  request.adds = true;
  request.folder = std::filesystem::path(app.lesson_added_to).parent_path().string();
  if (!app.lesson_added_to.empty())
    request.name = std::filesystem::path(app.lesson_added_to).filename().string();
  ask_for_file(app, std::move(request),
               [](App& a, const std::string& path) { add_state_to_lesson(a, path); });
}

void add_handout_actions(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::file);
  const auto ask = [](bool answers) { return [answers](App& app) { ask_for_handout(app, answers); }; };
  add("export handout", TR("Export handout…"), ask(true)).enabled_if(can_write_handout);
  add("export handout without answers", TR("Export handout without answers…"), ask(false))
      .enabled_if(can_write_handout);
  if (!is_page()) return;
  const auto print = [](bool answers) {
    return [answers](App& app) { write_handout(app, handout_name(app, ".pdf"), answers); };
  };
  add("print handout", TR("Print handout…"), print(true)).enabled_if(can_write_handout);
  add("print handout without answers", TR("Print handout without answers…"), print(false))
      .enabled_if(can_write_handout);
}

void add_lesson_actions(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::help, lessons_menu);
  bool courses = false;
  for (const BuiltInLesson& lesson : built_in_lessons()) {
    if (lesson.course && !std::exchange(courses, true)) add.separate();
    add("lesson " + lesson.name, lesson.title[Language::en].c_str(), [name = lesson.name](App& app) {
      play_lesson(app, name);
    }).checked_if([name = lesson.name](const App& app) {
        return playing(app) && app.lesson.path == name;
      }).own = lesson.title;
  }
  add("course page", TR("Contents of the course…"), [](App& app) {
    app.dialogs.course.open = true;
  }).enabled_if([](const App& app) { return plays_course(app.lesson); });
  add.separate();
  add("open lesson", TR("Open lesson…"), [](App& app) {
    ask_for_file(app, lesson_request(app, false, TR("Open lesson")),
                 [](App& a, const std::string& path) { open_file(a, path); });
  });
  add("add to lesson", TR("Add this state to a lesson…"), ask_for_lesson_to_add_to);
  add("bookmarks to lesson", TR("Bookmarks as a lesson…"), [](App& app) {
    ask_for_file(app, lesson_request(app, true, TR("Bookmarks as a lesson")),
                 [](App& a, const std::string& path) { write_bookmarks_as_lesson(a, path); });
  }).enabled_if([](const App& app) { return !app.bookmarks.empty(); });
  add.separate();
  add("lesson next", TR("Next step"), {plain(Key::page_down), plain(Key::space)}, [](App& app) {
    turn_by_key(app, 1);
  }).enabled_if([](const App& app) {
    return keys_step(app) && (app.lesson.can_step(1) || app.lesson.text_below);
  });
  add("lesson back", TR("Previous step"), {plain(Key::page_up), shift(Key::space)}, [](App& app) {
    turn_by_key(app, -1);
  }).enabled_if([](const App& app) {
    return keys_step(app) && (app.lesson.can_step(-1) || app.lesson.text_above);
  });
  add("lesson return", TR("Back to the lesson"), return_to_lesson).enabled_if(has_left_step);
  add("lesson close", TR("Close lesson"), close_lesson).enabled_if(playing);
}

void add_state_to_lesson(Workspace& work, const std::string& path) {
  try {
    const std::string title = work.tr(TR("My lesson"));
    add_to_lesson(path, title,
                  lesson_step(work.tr(TR("New step")), with_relative_paths(session_for_others(work), path),
                              work.state.lock, work.state.steps.component));
    work.lesson_added_to = path;
    work.notices.settle(Notice::About::saving);
    work.notices.info(written_text(TR("Step added to {}")), path);
  } catch (const Error& failure) {
    work.notices.error(Notice::About::saving, failure);
  }
}

void write_bookmarks_as_lesson(Workspace& work, const std::string& path) {
  try {
    std::string text = lesson_head(work.tr(TR("My lesson")));
    for (const Bookmark& bookmark : work.bookmarks) {
      Session session;
      session.inputs = bookmark.inputs;
      session.view = bookmark.view;
      session.compare = bookmark.compare;
      session.labels = work.labels;
      text += lesson_step(lesson_title(bookmark.name, work.tr(TR("New step"))),
                          with_relative_paths(std::move(session), path), bookmark.cell) +
              "\n";
    }
    text.pop_back();
    write_lesson(path, text);
    work.notices.settle(Notice::About::saving);
    work.notices.info(written_text(TR("Saved to {}")), path);
    play_lesson(work, path);
  } catch (const Error& failure) {
    work.notices.error(Notice::About::saving, failure);
  }
}

}  // namespace headscope

#include <filesystem>

#include "app/panels/dialogs/dialogs.h"
#include "app/panels/dialogs/file_chooser.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/file_commands.h"

namespace headscope {
namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void draw_unsaved(App& app) {
  bool& open = app.dialogs.files.unsaved;
  if (!begin_dialog("unsaved", app.tr("Unsaved changes"), open, 26)) return;
  const std::string& path = app.document.path;
  wrapped_text(path.empty() ? std::string(app.tr("This session has unsaved changes."))
                            : app.tr("{} has unsaved changes.", file_name(path)));
  UnsavedAnswer answer = UnsavedAnswer::none;
  QuestionButtons button(3);
  if (button(app.tr("Save"), "unsaved save")) answer = UnsavedAnswer::save;
  ImGui::SameLine();
  if (button(app.tr("Don't save"), "unsaved discard")) answer = UnsavedAnswer::discard;
  ImGui::SameLine();
  if (button(app.tr("Cancel"), "unsaved cancel")) answer = UnsavedAnswer::cancel;
  if (answer != UnsavedAnswer::none || !open) ImGui::CloseCurrentPopup();
  end_dialog();
  answer_unsaved(app, answer);
}

void draw_conflict(App& app) {
  bool& open = app.dialogs.files.conflict;
  if (!begin_dialog("conflict", app.tr("File changed on disk"), open, 28)) return;
  wrapped_text(app.tr("{} was changed by another window or program after it was opened here.",
                      file_name(app.document.path)));
  ConflictAnswer answer = ConflictAnswer::none;
  QuestionButtons button(4);
  if (button(app.tr("Save as…"), "conflict save as")) answer = ConflictAnswer::save_as;
  ImGui::SameLine();
  if (button(app.tr("Overwrite"), "conflict overwrite")) answer = ConflictAnswer::overwrite;
  if (button(app.tr("Discard mine and reload"), "conflict reload")) answer = ConflictAnswer::reload;
  ImGui::SameLine();
  if (button(app.tr("Cancel"), "conflict cancel")) answer = ConflictAnswer::cancel;
  if (answer != ConflictAnswer::none || !open) ImGui::CloseCurrentPopup();
  end_dialog();
  answer_conflict(app, answer);
}

void draw_left(App& app) {
  bool open = app.dialogs.files.left.has_value();
  if (!begin_dialog("left", app.tr("Unsaved changes"), open, 28)) {
    if (app.dialogs.files.left && !open) answer_left(app, LeftAnswer::later);
    return;
  }
  wrapped_text(app.dialogs.files.left_of_document
                   ? app.tr("{} has newer changes, left by a window that ended without saving them.",
                            file_name(app.document.path))
                   : app.tr("An earlier window ended without saving its work. Restoring it replaces the "
                            "session that is open now."));
  std::optional<LeftAnswer> answer;
  QuestionButtons button(2);
  if (button(app.tr("Restore changes"), "left restore")) answer = LeftAnswer::restore;
  ImGui::SameLine();
  if (button(app.tr("Discard changes"), "left discard")) answer = LeftAnswer::discard;
  if (!open) answer = LeftAnswer::later;
  if (answer) ImGui::CloseCurrentPopup();
  end_dialog();
  if (answer) answer_left(app, *answer);
}

}  // namespace

void draw_file_dialogs(App& app, PanelMemory& memory) {
  draw_unsaved(app);
  draw_conflict(app);
  draw_left(app);
  if (!memory.chooser) memory.chooser = std::make_shared<FileChooser>();
  FileChooser& chooser = *memory.chooser;
  if (app.dialogs.files.choosing && !chooser.is_open()) chooser.open(app.dialogs.files.request);
  if (!chooser.is_open()) return;
  const FileChooser::Answer answer = chooser.draw(app.tr);
  if (answer == FileChooser::Answer::chosen) answer_file(app, chooser.path());
  if (answer == FileChooser::Answer::cancelled) answer_file(app, "");
}

}  // namespace headscope

#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/state/course_page.h"
#include "app/state/export_dialog.h"
#include "app/state/file_request.h"
#include "app/state/jobs/job.h"
#include "app/state/link_dialog.h"
#include "app/state/text/document_page.h"
#include "core/base/memo.h"
#include "core/session/session.h"

namespace headscope {

struct App;

/// The answer about changes to the current file that a killed window left; `later` leaves them as they are.
enum class LeftAnswer { later, restore, discard };

/// Questions about files: which one, whether to save first, what to do when another program has changed it.
struct FileDialogs {
  using Then = std::function<void(App&, const std::string& path)>;

  FileRequest request;    ///< the pending request, for the window's chooser if the desktop's fails
  bool choosing = false;  ///< the window's chooser is open
  Then then;              ///< called with the answer
  bool unsaved = false;   ///< the question about unsaved changes is open
  bool conflict = false;  ///< the question about a file changed by another program is open
  std::function<void(App&)> proceed;  ///< continuation after either question
  std::optional<Session> left;        ///< what a killed window left of the file, while the question is open
  bool left_of_document = true;       ///< otherwise left by a window from before the last session
  LeftAnswer left_answer = LeftAnswer::later;
};

/// The searchable list of actions.
struct PaletteDialog {
  bool open = false;
  std::string query;
  int chosen = 0;
};

/// Dialogs above the panels. At most one of them is open.
struct Dialogs {
  ExportDialog figure;
  PaletteDialog palette;
  FileDialogs files;
  LinkDialog link;
  Job<std::string> picture;  ///< renders a PNG for the clipboard
  bool keys = false;
  std::string key_query;  ///< what is searched for in their list
  /// The documents about it, each with its line that has the words.
  /// Of documents() the lines about what was searched for; none: it is not about it.
  Memo<std::pair<std::string, Language>, std::vector<std::optional<std::string>>> key_documents;
  bool about = false;
  bool messages = false;
  DocumentPage page;
  CoursePage course;
  bool head_label = false;
  bool name_focus = false;                    ///< start editing its name
  int labelled_layer = 0, labelled_head = 0;  ///< from 0

  void open_palette() { palette = {true, "", 0}; }
  void open_head_label(int layer, int head) {
    head_label = true;
    labelled_layer = layer;
    labelled_head = head;
  }
  bool busy() const { return figure.busy() || picture.started(); }
};

}  // namespace headscope

#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/action.h"
#include "app/state/dialogs.h"
#include "app/state/frame_input.h"
#include "app/state/presentation.h"
#include "app/state/workspace.h"

namespace headscope {

/// What the desktop does for the program; empty in tests.
struct Desktop {
  std::function<bool(const FileRequest&)> choose_file;      ///< opens its file chooser; false: there is none
  std::function<void(const std::string& text)> put_text;    ///< onto the clipboard
  std::function<bool(std::string png)> put_picture;         ///< onto the clipboard; false: it can't
  std::function<std::optional<std::string>()> get_picture;  ///< PNG or JPEG from it; nothing: it has none
  std::function<std::string()> get_text;                    ///< from it; "": it has none
  std::function<std::string()> page_address;              ///< of the page that the program is; none: no page
  std::function<void(const std::string& link)> set_link;  ///< in the page's address, to what is kept there
  std::function<bool()> keep_session;                     ///< for the next start; on false a notice says why
};

/// The state of the program while its window is open and what it can do, apart from drawing: its parts, put
/// together. Each frame calls begin_frame, actions, end_frame.
struct App : Workspace {
  explicit App(std::function<void()> wake_window = [] {});

  Presentation presentation;
  std::vector<Action> actions;
  Dialogs dialogs;
  FrameInput input;         ///< for this frame
  bool open_menus = false;  ///< open the first menu
  bool quit = false;        ///< close the window
  Desktop desktop;
};

/// Whether something is animated or pending, so that frames must continue without events.
bool is_busy(const App& app);
}  // namespace headscope

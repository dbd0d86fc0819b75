#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/ui.h"
#include "app/panels/view_cache.h"
#include "app/state/actions.h"
#include "app/state/document.h"
#include "app/state/notices.h"
#include "app/state/runner.h"
#include "app/state/settings.h"
#include "app/state/undo.h"

namespace headscope {

struct FileRequest;  // app/panels/file_request.h
struct Dialogs;      // app/panels/dialogs.h
struct SentenceBox;  // app/panels/sentence.h

/// Everything the program knows while its window is open. Has no window and no OpenGL: tests drive it in a
/// bare ImGui context.
struct App {
  explicit App(std::function<void()> wake_window = [] {});
  ~App();

  // The document.
  Inputs inputs;
  std::optional<Inputs> compare;
  std::vector<Bookmark> bookmarks;
  std::vector<HeadLabel> labels;
  ViewState state;

  Document document;  ///< the file it belongs to
  Undo undo;

  // What is derived from it.
  BufferPool memory;                                                       ///< what both runners use again
  std::shared_ptr<OpenSources> sources = std::make_shared<OpenSources>();  ///< shared by both runners
  Runner runner;
  Runner other_runner;
  ViewCache view_cache;

  // The program around it.
  Settings settings;
  Translator tr;
  Style style;
  Notices notices;
  std::vector<Action> actions;
  std::unique_ptr<SentenceBox> sentence_box;
  std::unique_ptr<SentenceBox> key_sentence_box;
  std::unique_ptr<Dialogs> dialogs;
  UiAnchors* ui_anchors = nullptr;  ///< where tests look for things; nullptr: nobody asks
  std::u32string typed;             ///< characters typed in this frame
  bool field_focus = false;         ///< one of ImGui's own fields, which have an undo of their own
  bool text_focus = false;          ///< a text was being edited when this frame began
  bool popup_open = false;   ///< a menu or dialog was open when this frame began, or when the last one ended
  bool item_active = false;  ///< a control was being changed when the last frame ended
  bool open_menus = false;   ///< the first menu is to be opened
  bool quit = false;         ///< the window is to be closed
  std::function<void()> wake;

  // What only the window can do; empty in tests.
  std::function<bool(const FileRequest&)>
      desktop_chooser;                               ///< asks for a file; false: there is no such chooser
  std::function<bool(std::string png)> put_picture;  ///< onto the clipboard; false: it can't

  /// The inputs that controls and actions change: those of side B while the comparison edits it.
  Inputs& edited() { return edits_b() ? *compare : inputs; }
  const Inputs& edited() const { return edits_b() ? *compare : inputs; }
  bool edits_b() const { return compare && state.edit_b && state.view.kind == ViewKind::compare; }

  /// The block in view of the last good run of A, or of B; never null, but without tokens before the first.
  std::shared_ptr<const BlockTrace> block() const { return block_of(runner.trace(), state.view.block); }
  std::shared_ptr<const BlockTrace> other_block() const {
    return block_of(other_runner.trace(), state.view.block);
  }
  /// What is shown of A's block; see ViewCache::shown().
  std::shared_ptr<const FilteredLayer> shown();
  /// The heads whose maps the view needs.
  std::vector<int> heads_in_view(int heads) const;

  Session session() const;
  bool is_session(const Session& session) const;  ///< session() == session, without a copy
  void set_session(const Session& session);
  void set_language(Language language);
  void set_theme(Theme theme);
  Language language() const { return tr.language(); }
};

/// Takes over what was computed and draws one frame's panels, between ImGui's NewFrame and Render.
void draw_app(App& app, HeatmapPainter& painter);
/// After the frame: keeps masks within the tokens, notes the step for undo, runs the inputs if they changed
/// in it.
void update_app(App& app);
/// The file's name and the program's.
std::string window_title(const App& app);
/// Every text that may have characters of its own, for the font atlas.
std::vector<std::string_view> texts_in_use(const App& app);
/// Whether something moves or is awaited, so that frames must go on without events.
bool is_busy(const App& app);

}  // namespace headscope

#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/actions/actions.h"
#include "app/state/actions/dialogs.h"
#include "app/state/document/document.h"
#include "app/state/document/model_opening.h"
#include "app/state/document/settings.h"
#include "app/state/document/undo.h"
#include "app/state/frame.h"
#include "app/state/jobs/generation.h"
#include "app/state/jobs/notices.h"
#include "app/state/jobs/runner.h"
#include "app/state/lesson/lesson_player.h"
#include "app/state/lesson/presentation.h"
#include "app/state/text/side_texts.h"
#include "app/state/text/text_effect.h"
#include "app/state/view/long_blocks.h"
#include "app/state/view/long_maps.h"
#include "app/state/view/map_motion.h"
#include "app/state/view/view_cache.h"
#include "app/state/view/view_state.h"

namespace headscope {

/// The state of the program while its window is open and what it can do, apart from drawing. Each frame calls
/// begin_frame, actions, end_frame.
struct App {
  explicit App(std::function<void()> wake_window = [] {});

  // The document.
  Inputs inputs;
  std::optional<Inputs> compare;
  std::vector<Bookmark> bookmarks;
  std::vector<HeadLabel> labels;
  std::map<std::string, std::string> model_weights;  ///< Session::model_weights
  ViewState state;

  std::string lesson_added_to;  ///< the lesson that a state was last added to; empty: none
  LessonPlayer lesson;          ///< while one is played, it holds the user's document
  Document document;            ///< the file that the session belongs to
  Undo undo;
  TextEffect text_effect, other_text_effect;  ///< for A and B

  // Derived from the document.
  BufferPool memory;                                                       ///< reused by both runners
  std::shared_ptr<OpenSources> sources = std::make_shared<OpenSources>();  ///< shared by both runners
  ModelOpening opening;
  Runner runner;
  Runner other_runner;
  ViewCache view_cache;
  LongBlocks long_blocks;
  LongMaps long_maps;
  Generation generation;
  MapMotion motion;
  bool animates = false;  ///< animate maps when a lesson step changes a single input
  Presentation presentation;

  SidesBefore sides_before;

  // The surrounding program.
  Settings settings;
  Translator tr;
  Notices notices{tr};
  std::vector<Action> actions;
  Dialogs dialogs;
  FrameInput input;         ///< for this frame
  bool open_menus = false;  ///< open the first menu
  bool quit = false;        ///< close the window
  int sessions = 0;         ///< counts sessions: what is remembered for one does not apply to the next
  std::function<void()> wake;

  // Provided by the window; empty in tests.
  std::function<bool(const FileRequest&)>
      desktop_chooser;  ///< opens the desktop's file chooser; false: there is none
  std::function<void(const std::string& text)> put_text;  ///< onto the clipboard
  std::function<bool(std::string png)> put_picture;       ///< onto the clipboard; false: it can't
  std::function<bool()> keep_session;                     ///< for the next start; on false a notice says why

  /// The inputs that controls and actions change: side B's while the comparison edits it.
  Inputs& edited() { return edits_b() ? *compare : inputs; }
  const Inputs& edited() const { return edits_b() ? *compare : inputs; }
  bool edits_b() const { return compares() && state.edit_b; }
  /// Whether both sides are in view: in the comparison, and where either of two models can be shown as a
  /// whole.
  bool compares() const {
    return compare && (state.view.kind == ViewKind::compare ||
                       (state.view.kind == ViewKind::model && *compare != inputs));
  }

  /// Whether the whole model in view is B's.
  bool shows_model_of_b() const {
    return state.view.kind == ViewKind::model && compares() && state.view.of_b;
  }

  /// The block in view of A's or B's last successful run; never null, but without tokens before the first.
  std::shared_ptr<const BlockTrace> block() const { return in_view(trace(), state.view.block); }
  std::shared_ptr<const BlockTrace> other_block() const { return in_view(other_trace(), state.view.block); }
  const std::shared_ptr<const Trace>& other_trace() const {
    return presentation.frozen_other ? presentation.frozen_other : other_runner.trace();
  }
  /// What is shown of A: the last successful run, or the frozen trace.
  const std::shared_ptr<const Trace>& trace() const {
    return presentation.frozen ? presentation.frozen : runner.trace();
  }
  /// What is shown of A's block; see ViewCache::shown().
  std::shared_ptr<const FilteredLayer> shown();
  /// For one head of a long text: what is shown, and the overview; no value otherwise.
  std::optional<LongMaps::Shown> shown_of_long(const std::shared_ptr<const BlockTrace>& block);
  /// For a long block its pooled cells, as far as they have been read; other blocks unchanged.
  std::shared_ptr<const BlockTrace> pooled_block(const std::shared_ptr<const BlockTrace>& block) const {
    return long_blocks.in_view(block, state.view.means, compares());
  }
  /// What the view shows of a block of A, with B's block if the view compares.
  Scene scene(const std::shared_ptr<const BlockTrace>& block);

  /// A block of a trace as the view shows it, merged into whole words if the view does so.
  std::shared_ptr<const BlockTrace> in_view(const std::shared_ptr<const Trace>& trace, BlockKind kind) const;

  /// Once a frame: pooled cells of a long text stay on screen until a sample of their replacement has been
  /// read.
  void keep_pooled();
  /// Whether such earlier cells are shown.
  bool shows_old_pooled() const { return old_pooled_[0].instead || old_pooled_[1].instead; }
  /// As in_view(), but always from the latest run.
  std::shared_ptr<const BlockTrace> newest_in_view(const std::shared_ptr<const Trace>& trace,
                                                   BlockKind kind) const;

  Session session() const;                        ///< the user's, also while a lesson is played
  bool is_session(const Session& session) const;  ///< session() == session, without a copy
  Session shown_session() const;                  ///< what is on the screen
  void set_session(const Session& session);
  void set_language(Language language);
  void set_theme(Theme theme);
  Language language() const { return tr.language(); }

 private:
  /// The block in single tokens or words, however many there are.
  std::shared_ptr<const BlockTrace> in_tokens(const std::shared_ptr<const Trace>& trace,
                                              BlockKind kind) const;
  /// The last block merged into words, so that it stays the same object while its source does: for A, B and
  /// the searched block.
  struct WordBlock {
    std::shared_ptr<const BlockTrace> pieces, words;
  };
  mutable std::array<WordBlock, 3> word_blocks_;
  struct OldPooled {
    std::shared_ptr<const BlockTrace> last;     ///< already read and shown
    std::shared_ptr<const BlockTrace> instead;  ///< shown while the latest run's are not yet read
  };
  std::array<OldPooled, 2> old_pooled_;  // for A and B
};

/// The heads of a block that are being looked at.
std::vector<int> heads_looked_at(const App& app, const std::shared_ptr<const BlockTrace>& block);

/// The names of the file and the program.
std::string window_title(const App& app);
/// The texts that are split into tokens.
std::vector<std::string_view> sentences_in_use(const App& app);
/// The signs used besides the words of the interface, included in every font atlas.
std::string_view signs_in_use();
/// Every text that may contain characters not in the interface, for the font atlas.
std::vector<std::string_view> texts_in_use(const App& app);

}  // namespace headscope

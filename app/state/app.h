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

/// Everything the program knows while its window is open and what it can do, apart from how it is drawn: for
/// each frame begin_frame, actions, end_frame.
struct App {
  explicit App(std::function<void()> wake_window = [] {});

  // The document.
  Inputs inputs;
  std::optional<Inputs> compare;
  std::vector<Bookmark> bookmarks;
  std::vector<HeadLabel> labels;
  std::map<std::string, std::string> model_weights;  ///< Session::model_weights
  ViewState state;

  std::string lesson_added_to;  ///< the lesson that a state was added to last; empty: none
  LessonPlayer lesson;          ///< while one is played, the document is laid aside in it
  Document document;            ///< the file it belongs to
  Undo undo;
  TextEffect text_effect, other_text_effect;  ///< of A and B

  // What is derived from it.
  BufferPool memory;                                                       ///< what both runners use again
  std::shared_ptr<OpenSources> sources = std::make_shared<OpenSources>();  ///< shared by both runners
  ModelOpening opening;
  Runner runner;
  Runner other_runner;
  ViewCache view_cache;
  LongBlocks long_blocks;
  LongMaps long_maps;
  Generation generation;
  MapMotion motion;
  bool animates = false;  ///< maps move where a step of a lesson changes one input
  Presentation presentation;

  SidesBefore sides_before;

  // The program around it.
  Settings settings;
  Translator tr;
  Notices notices{tr};
  std::vector<Action> actions;
  Dialogs dialogs;
  FrameInput input;         ///< of this frame
  bool open_menus = false;  ///< the first menu is to be opened
  bool quit = false;        ///< the window is to be closed
  int sessions = 0;         ///< how many there were: what is remembered of one is not for the next
  std::function<void()> wake;

  // What only the window can do; empty in tests.
  std::function<bool(const FileRequest&)>
      desktop_chooser;  ///< asks for a file; false: there is no such chooser
  std::function<void(const std::string& text)> put_text;  ///< onto the clipboard
  std::function<bool(std::string png)> put_picture;       ///< onto the clipboard; false: it can't
  std::function<bool()> keep_session;  ///< for the next start; false: it can't, and a notice says why

  /// The inputs that controls and actions change: those of side B while the comparison edits it.
  Inputs& edited() { return edits_b() ? *compare : inputs; }
  const Inputs& edited() const { return edits_b() ? *compare : inputs; }
  bool edits_b() const { return compares() && state.edit_b; }
  /// The two sides are in view: in the comparison, and where one of two models can be seen as a whole.
  bool compares() const {
    return compare && (state.view.kind == ViewKind::compare ||
                       (state.view.kind == ViewKind::model && *compare != inputs));
  }

  /// The whole model that is in view is B's.
  bool shows_model_of_b() const {
    return state.view.kind == ViewKind::model && compares() && state.view.of_b;
  }

  /// The block in view of the last good run of A, or of B; never null, but without tokens before the first.
  std::shared_ptr<const BlockTrace> block() const { return in_view(trace(), state.view.block); }
  std::shared_ptr<const BlockTrace> other_block() const { return in_view(other_trace(), state.view.block); }
  const std::shared_ptr<const Trace>& other_trace() const {
    return presentation.frozen_other ? presentation.frozen_other : other_runner.trace();
  }
  /// What is shown of A: the last good run, or what is frozen.
  const std::shared_ptr<const Trace>& trace() const {
    return presentation.frozen ? presentation.frozen : runner.trace();
  }
  /// What is shown of A's block; see ViewCache::shown().
  std::shared_ptr<const FilteredLayer> shown();
  /// Of one head of a long text what is shown, and the overview; nothing of others.
  std::optional<LongMaps::Shown> shown_of_long(const std::shared_ptr<const BlockTrace>& block);
  /// Of a long block its groups, as far as they have been read.
  std::shared_ptr<const BlockTrace> groups_of(const std::shared_ptr<const BlockTrace>& block) const {
    return long_blocks.in_view(block, state.view.means, compares());
  }
  /// What the view shows of a block of A's, with B's beside it where the view compares.
  Scene scene(const std::shared_ptr<const BlockTrace>& block);

  /// A block of a trace as the view shows it, with whole words where it shows those.
  std::shared_ptr<const BlockTrace> in_view(const std::shared_ptr<const Trace>& trace, BlockKind kind) const;

  /// Once a frame: what is shown by groups of a long text stays until a sample of what takes its place has
  /// been read.
  void keep_groups();
  /// Such groups are shown.
  bool shows_old_groups() const { return old_groups_[0].instead || old_groups_[1].instead; }
  /// As in_view(), but always of what was run last.
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
  /// The block, of single tokens or words however many there are.
  std::shared_ptr<const BlockTrace> in_tokens(const std::shared_ptr<const Trace>& trace,
                                              BlockKind kind) const;
  /// What words were made of last, that they are the same as long as it is: A's, B's and what is searched.
  struct WordBlock {
    std::shared_ptr<const BlockTrace> pieces, words;
  };
  mutable std::array<WordBlock, 3> word_blocks_;
  struct OldGroups {
    std::shared_ptr<const BlockTrace> last;     ///< that were read and shown
    std::shared_ptr<const BlockTrace> instead;  ///< likewise, while those that were run last are not
  };
  std::array<OldGroups, 2> old_groups_;  // of A and of B
};

/// The heads of a block that are looked at.
std::vector<int> heads_looked_at(const App& app, const std::shared_ptr<const BlockTrace>& block);

/// The file's name and the program's.
std::string window_title(const App& app);
/// What tokens are made of.
std::vector<std::string_view> sentences_in_use(const App& app);
/// The signs beside the words of the interface, which every font atlas has.
std::string_view signs_in_use();
/// Every text that may have characters of its own, for the font atlas.
std::vector<std::string_view> texts_in_use(const App& app);

}  // namespace headscope

#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "app/state/lesson_player.h"
#include "app/state/text/text_effect.h"
#include "app/state/undo.h"
#include "app/state/view_state.h"
#include "core/session/session.h"

namespace headscope {

/// The file that the session was read from or saved to, and its content at that time.
struct Document {
  std::string path;         ///< absolute; empty if it has none
  Session saved;            ///< as last read or written; without a file, the initial session
  std::size_t content = 0;  ///< hash of the file's bytes at that time, to detect changes by other programs
};

/// Both sides after the last frame, if B equals A except for its heads, or A itself: what is then typed into
/// A's sentence is applied to B's too, so that the heads stay the only difference.
struct SidesBefore {
  std::optional<Inputs> a, b;  ///< not engaged: B changes independently
  int lesson_step = -1;
};

/// What the last frame showed: see follow_experiment().
struct ShownBefore {
  Inputs inputs;
  std::optional<Inputs> compare;
  View view;
  bool operator==(const ShownBefore&) const = default;
};

/// The open session: what is edited, and how it is shown.
struct OpenSession : DocumentState {
  std::map<std::string, std::string> model_weights;  ///< Session::model_weights
  ViewState state;
  Document document;  ///< the file that it belongs to
  Undo undo;
  LessonPlayer lesson;          ///< while one is played, it holds the user's document
  std::string lesson_added_to;  ///< the lesson that a state was last added to; empty: none
  SidesBefore sides_before;
  std::optional<ShownBefore> shown_before;  ///< none where all was replaced: that is no experiment
  std::optional<ShownBefore> held_from;     ///< where the experiment began that holds ranges
  Both<TextEffect> text_effect;
  int sessions = 0;  ///< counts them: what is remembered for one does not apply to the next

  /// The inputs that controls and actions change: side B's while the comparison edits it.
  Inputs& edited() { return of(edited_side()); }
  const Inputs& edited() const { return of(edited_side()); }
  Side edited_side() const { return compares() ? state.edits : Side::a; }
  /// Whether both sides are in view: in the comparison, where a part is taken from the other, and where
  /// either of two models can be shown as a whole.
  bool compares() const {
    const ViewKindRow& view = state.view.row();
    return compare && (view.compares || asks_b(state.view) || (view.whole && *compare != inputs));
  }
  /// The side whose whole model is in view; in other views A.
  Side seen_side() const {
    return state.view.row().whole && compares() && state.view.of_b ? Side::b : Side::a;
  }

  Session session() const;                        ///< the user's, also while a lesson is played
  bool is_session(const Session& session) const;  ///< session() == session, without a copy
  Session shown_session() const;                  ///< what is on the screen
  void show(const View& view);                    ///< in the user's own theme
  void apply(const Session& session);  ///< edits and shows it; bookmarks and the history of changes stay
};

}  // namespace headscope

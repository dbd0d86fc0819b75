#include "app/state/open_session.h"

namespace headscope {

Session OpenSession::session() const {
  if (!lesson.playing()) return shown_session();
  Session session = lesson.own;
  session.bookmarks = bookmarks;
  session.answers = answers;
  return session;
}

bool OpenSession::is_session(const Session& session) const {
  if (lesson.playing()) return this->session() == session;
  return DocumentState::operator==(session) && state.view == session.view;
}

Session OpenSession::shown_session() const {
  Session session{*this, state.view, {}};
  session.model_weights = weights_of(session, model_weights);
  return session;
}

void OpenSession::show(const View& view) {
  const Theme own = state.view.theme;
  state.view = view;
  state.view.theme = own;
  shown_before.reset();
}

void OpenSession::apply(const Session& session) {
  inputs = session.inputs;
  compare = session.compare;
  labels = session.labels;
  marks = session.marks;
  show(session.view);
  state.edits = Side::a;
  state.lock.reset();
  state.other_lock.reset();
  state.left_view.reset();
  text_effect = {};
}

}  // namespace headscope

#include "app/state/document/open_session.h"

namespace headscope {

Session OpenSession::session() const {
  if (!lesson.playing()) return shown_session();
  Session session = lesson.own;
  session.bookmarks = bookmarks;
  return session;
}

bool OpenSession::is_session(const Session& session) const {
  if (lesson.playing()) return this->session() == session;
  return inputs == session.inputs && state.view == session.view && compare == session.compare &&
         bookmarks == session.bookmarks && labels == session.labels && marks == session.marks;
}

Session OpenSession::shown_session() const {
  Session session{inputs, state.view, compare, bookmarks, labels, {}, marks};
  session.model_weights = weights_of(session, model_weights);
  return session;
}

void OpenSession::show(const View& view) {
  const Theme own = state.view.theme;
  state.view = view;
  state.view.theme = own;
}

}  // namespace headscope

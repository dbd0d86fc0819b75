#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.h"
#include "core/inputs/inputs.h"
#include "core/inputs/side.h"
#include "core/scene/labels.h"
#include "core/scene/mark.h"
#include "core/scene/scene.h"
#include "core/scene/view.h"

namespace headscope {

struct Bookmark {
  std::string name;
  Inputs inputs;
  View view;
  std::optional<Inputs> compare;
  std::optional<Cell> cell = {};  ///< locked
  bool operator==(const Bookmark&) const = default;
};

/// What a reader has answered to a question of a lesson, which is given by its place.
struct LessonAnswer {
  std::string lesson;  ///< the name of a built-in one, or of its file
  int step = 0, question = 0;
  std::set<int> choices = {};          ///< from 0
  std::optional<double> number = {};   ///< as predicted
  std::optional<Bookmark> state = {};  ///< found, named as the step is
  int tries = 1;                       ///< how many answers there were, this one included
  bool operator==(const LessonAnswer&) const = default;
};

/// What undo restores: everything that changes a number, head names, marks, and what was kept.
struct DocumentState {
  Inputs inputs;
  std::optional<Inputs> compare;  ///< B of the compare view, a freely modified copy of A's (`inputs`)
  std::vector<HeadLabel> labels = {};
  std::vector<Bookmark> bookmarks = {};
  std::vector<Mark> marks = {};            ///< in the maps; at most Mark::max_marks
  std::vector<LessonAnswer> answers = {};  ///< to questions of lessons
  /// Those of a side, which must exist.
  Inputs& of(Side side) { return side == Side::a ? inputs : *compare; }
  const Inputs& of(Side side) const { return side == Side::a ? inputs : *compare; }
  bool operator==(const DocumentState&) const = default;
};

/// The contents of a session file; core/session/SESSION.md documents the format.
struct Session : DocumentState {
  View view;
  /// For each named model folder, fingerprint_of() its weights at the time of saving.
  std::map<std::string, std::string> model_weights;
  bool operator==(const Session&) const = default;
};

/// Calls use(inputs) for all that a document holds, those of bookmarks, too.
template <typename Document, typename Use>
void for_each_inputs(Document& document, const Use& use) {
  const auto use_both = [&](auto& sides) {
    use(sides.inputs);
    if (sides.compare) use(*sides.compare);
  };
  use_both(document);
  for (auto& bookmark : document.bookmarks) use_both(bookmark);
  for (auto& answer : document.answers)
    if (answer.state) use_both(*answer.state);
}

/// Replaces models and captures by the paths where they were found.
void rename_sources(DocumentState& document, const std::map<std::string, std::string>& found);

/// Whether its view shows B, not A alone.
bool shows_b(const Session& session);

inline constexpr int session_version = 1;

/// Those of `known` that the session names.
std::map<std::string, std::string> weights_of(const Session& session,
                                              const std::map<std::string, std::string>& known);

/// Limits of LessonAnswer in files.
inline constexpr int max_lesson_steps = 10'000, max_choices = 20, max_tries = 1'000'000;

/// JSON with every field of Inputs at the top level under its own name, `version`, `view`, `bookmarks`,
/// `labels`.
std::string to_json(const Session& session, bool indent = true);
/// A session of only these inputs, on one line: the metadata of arrays.
std::string session_json(const Inputs& inputs);
/// Fields left out take their defaults. Throws Error (input) naming `source` and the field, what was found
/// and what was expected: not JSON, another version, an unknown field, a wrong type, a value out of range.
Session session_from_json(std::string_view json, const std::string& source);
/// The same within the budget of the file that contained the text, compressed or not.
Session session_from_json(std::string_view json, const std::string& source, Budget& budget);

/// Parses the object of the field `typed`. Throws as session_from_json.
TypedMatrices typed_from_json(std::string_view json, const std::string& source);
/// One of them: a list of numbers, or of rows.
std::vector<double> matrix_from_json(std::string_view json, const std::string& source);

/// A mask file, model folder or capture not found under its name is looked up relative to `path`, the
/// session's own file; a model or capture that is not found keeps its name, which the run will report.
void find_files(Session& session, const std::string& path);
/// The session as saved at `path`: a model or capture below that folder or its parent is named by a relative
/// path, so that both can be moved together.
Session with_relative_paths(Session session, const std::string& path);

Session load_session(const std::string& path);
void save_session(const std::string& path, const Session& session);

}  // namespace headscope

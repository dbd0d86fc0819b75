#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.h"
#include "core/inputs/inputs.h"
#include "core/scene/labels.h"
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

/// What a session file holds; core/session/SESSION.md documents the format.
struct Session {
  Inputs inputs;
  View view;
  std::optional<Inputs> compare;  ///< B of the compare view, a copy of A's (`inputs`) that was changed freely
  std::vector<Bookmark> bookmarks;
  std::vector<HeadLabel> labels;
  /// Of the folders of the models that it names: fingerprint_of() their weights when it was saved.
  std::map<std::string, std::string> model_weights;
  bool operator==(const Session&) const = default;
};

/// Whether what is shown of it has B in it, not A alone.
bool shows_b(const Session& session);

inline constexpr int session_version = 1;

/// Those of them that the session names.
std::map<std::string, std::string> weights_of(const Session& session,
                                              const std::map<std::string, std::string>& known);

/// JSON with every field of Inputs at the top level under its own name, `version`, `view`, `bookmarks`,
/// `labels`.
std::string to_json(const Session& session, bool indent = true);
/// The session of these inputs and nothing else, on one line: what arrays carry along.
std::string session_json(const Inputs& inputs);
/// Fields left out take their defaults. Throws Error (input) naming `source` and the field, what was found
/// and what was expected: not JSON, another version, an unknown field, a wrong type, a value out of range.
Session session_from_json(std::string_view json, const std::string& source);
/// The same within the budget of the file that the text lay in, packed or not.
Session session_from_json(std::string_view json, const std::string& source, Budget& budget);

/// The object that the field `typed` is. Throws as session_from_json.
TypedMatrices typed_from_json(std::string_view json, const std::string& source);
/// One of them: a list of numbers, or of rows.
std::vector<double> matrix_from_json(std::string_view json, const std::string& source);

/// A mask's file, a model's folder and a capture that are not there under their name are taken from beside
/// `path`, the session's own file; a model or a capture that is nowhere keeps its name, which the run will
/// tell.
void find_files(Session& session, const std::string& path);
/// The session as a file at `path` has it: a model or a capture below that folder or its parent is named by
/// the way from there, so that both can move together.
Session with_relative_paths(Session session, const std::string& path);

Session load_session(const std::string& path);
void save_session(const std::string& path, const Session& session);

}  // namespace headscope

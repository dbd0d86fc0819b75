#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/scene/scene.h"
#include "core/session/session.h"

namespace headscope {

/// What a session shows of its trace and of the other side's (nullptr: none), with a cell locked.
Scene scene_of(const Session& session, std::shared_ptr<const Trace> trace,
               std::shared_ptr<const Trace> other = nullptr, const std::optional<Locked>& locked = {},
               const Translator& tr = Translator());

/// The extensions that session_from_figure() supports, each after `before`: figures and animations.
std::vector<std::string> figure_endings(const std::string& before = "");
/// Whether the file has one of these extensions.
bool is_figure(const std::string& path);

/// The session in a figure's metadata. Throws Error (input) if there is none.
Session session_from_figure(const std::string& path);

}  // namespace headscope

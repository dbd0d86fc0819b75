#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/scene/scene.h"
#include "core/session/session.h"

namespace headscope {

/// A step as written in a lesson's file: its heading, a block `state` with the non-default fields of the
/// session, the component of q whose terms are listed for the cell, and placeholder texts. `title` may be
/// "English | 中文".
std::string lesson_step(std::string_view title, const Session& session, const std::optional<Cell>& cell,
                        int component = 0);

/// A file with this title to which steps can be added.
std::string lesson_head(std::string_view title);

/// A user's name as a title in one language, on one line; `otherwise` if it is empty.
std::string lesson_title(std::string_view name, std::string_view otherwise);

/// Writes a lesson to a temporary file next to its own and renames it. Throws Error as write_file() does, and
/// (input) before anything is written if the lesson would be too large or could not be read.
void write_lesson(const std::string& path, const std::string& text);

/// Adds a step at the end of a lesson's file, or of a new one with `title`. Throws Error as read_file() and
/// write_lesson() do.
void add_to_lesson(const std::string& path, std::string_view title, std::string_view step);

}  // namespace headscope

#pragma once
#include <string>

#include "core/teach/lesson_text.h"

namespace headscope {

/// A text without its looks, a paragraph, an item or a row of a table a line, the cells divided by " | ". A
/// live number is "#", code, a formula or a link "_".
std::string plain_text(const LessonText& text);

}  // namespace headscope

#pragma once
#include <string>

#include "core/teach/lesson_text.h"

namespace headscope {

/// A text without formatting, one line per paragraph, item or table row, the cells separated by " | ". A live
/// number is "#", code, a formula or a link "_".
std::string plain_text(const LessonText& text);

}  // namespace headscope

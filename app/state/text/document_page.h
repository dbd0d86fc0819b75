#pragma once
#include <string>
#include <string_view>

#include "core/base/translate.h"
#include "core/teach/lesson_text.h"

namespace headscope {

/// Names what the built-in models are, how they were trained and evaluated: from the files installed with
/// them.
inline constexpr const char* models_page = "built-in models";

/// A page to read.
struct DocumentPage {
  bool open = false;
  std::string name;  ///< of documents(), or models_page
  LessonText text;
  Language language = Language::en;  ///< that was requested
  bool at_top = true;                ///< to be scrolled there
};

/// English, to be translated.
const char* title_of_page(std::string_view name);
/// The page in that language, otherwise in English. Throws Error (input) if it is not installed or cannot be
/// read.
DocumentPage read_page(std::string_view name, Language language);

}  // namespace headscope

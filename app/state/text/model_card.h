#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/teach/lesson_text.h"

namespace headscope {

/// A page to read: what the built-in models are, how they were trained and evaluated, from the file installed
/// with them; or how to write a lesson.
struct ModelCard {
  enum class Of { models, lesson_format };
  bool open = false;
  LessonText text;
  Language language = Language::en;  ///< that was requested
  Of of = Of::models;
};

/// The page in that language, otherwise in English. Throws Error (input) if it is not installed or cannot be
/// read.
ModelCard read_card(ModelCard::Of of, Language language);

}  // namespace headscope

#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/teach/lesson_text.h"

namespace headscope {

/// A page to read: what the models on board are, how they were trained and what was measured of them, as it
/// lies beside them; or how a lesson is written.
struct ModelCard {
  enum class Of { models, lesson_format };
  bool open = false;
  LessonText text;
  Language language = Language::en;  ///< that it was read for
  Of of = Of::models;
};

/// In that language, else in English. Throws Error (input) where it is not installed or cannot be read.
ModelCard read_card(ModelCard::Of of, Language language);

}  // namespace headscope

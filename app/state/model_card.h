#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/teach/lesson_text.h"

namespace headscope {

/// What the models on board are, how they were trained and what was measured of them, as it lies beside them.
struct ModelCard {
  bool open = false;
  LessonText text;
  Language language = Language::en;  ///< that it was read for
};

/// In that language, else in English. Throws Error (input) where it is not installed or cannot be read.
ModelCard read_model_card(Language language);

}  // namespace headscope

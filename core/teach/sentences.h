#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/teach/lesson_text.h"

namespace headscope {

/// The sentences of a text as plain_text() has it: they end with a line, behind 。？！, and behind . ? !
/// before a blank or a bracket.
std::vector<std::string> sentences_of(std::string_view plain);

/// A sentence in a text: its spans, and these as plain_text() has them.
struct Sentence {
  std::vector<TextSpan*> spans;
  std::string plain;
};

/// Divides the spans of a text where its sentences end; the result points into it. The cells of a table's row
/// count as one text; blocks of code have none.
std::vector<Sentence> divide_sentences(LessonText& text);

}  // namespace headscope
